// bankside._core: the C++ face of libbankside in Python. What users call is bankside/__init__.py.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/filter_call.h"
#include "python/recipe.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace bankside_python {
namespace {

/// Sentences of the library are UTF-8, names of strangers' files perhaps not.
nb::str text(const char* bytes) {
  return nb::steal<nb::str>(PyUnicode_DecodeUTF8(bytes, static_cast<Py_ssize_t>(strlen(bytes)), "replace"));
}

constexpr const char* runDocumentation =
    R"(Filters an image.

Args:
    image: An array of the plan's shape and type; of float64 where that is float32, each value rounded once.
    out: Where the results go: an array of the plan's result shape and type with its planes at even
        distances, otherwise of any strides; for "argmax" a pair of them. It must not overlap the image.
    stream: Of a plan for a device: a stream of PyTorch's or CuPy's, what has __cuda_stream__, or a handle; by
        default the current stream of the image's library.

Returns:
    `out`, or new memory: an array of the image's own library; for "argmax" values and uint16 indices. On a
    device work is started on the stream and not waited for.

Raises:
    ValueError: The image or `out` is not what the plan is for.
    TypeError: No array, or of another element type.
)";

nb::list catalogue() {
  nb::list entries;
  for (std::int32_t i = 0; i < bk_catalogue_size(); ++i) {
    bk_catalogue_info info = {};
    info.size = sizeof info;
    bankside::Status(bk_catalogue_entry(i, &info)).orThrow();
    entries.append(nb::make_tuple(info.name, info.title, info.citation, info.specification));
  }
  return entries;
}

template <auto size, auto name>
nb::list namesOf() {
  nb::list names;
  for (std::int32_t i = 0; i < size(); ++i) names.append(name(i));
  return names;
}

nb::object tapsOf(const PyBank& bank, std::int32_t index) {
  const bk_filter_info info = bank.filter(index);
  nb::list channels;
  for (int c = 0; c < info.channels; ++c) {
    nb::list rows;
    for (int y = 0; y < info.height; ++y) {
      nb::list row;
      for (int x = 0; x < info.width; ++x)
        row.append(info.taps[(static_cast<std::ptrdiff_t>(c) * info.height + y) * info.width + x]);
      rows.append(row);
    }
    channels.append(rows);
  }
  return channels;
}

int visitKeptPlans(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return nb::inst_ready(self) ? nb::inst_ptr<KeptPlans>(self)->visit(visit, arg) : 0;
}

int forgetKeptPlans(PyObject* self) {
  nb::inst_ptr<KeptPlans>(self)->forget();
  return 0;
}

const PyType_Slot keptPlansSlots[] = {{Py_tp_traverse, reinterpret_cast<void*>(visitKeptPlans)},
                                      {Py_tp_clear, reinterpret_cast<void*>(forgetKeptPlans)},
                                      {0, nullptr}};

}  // namespace

bool setError(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const bankside::Error& error) {
    PyObject* kind = PyExc_RuntimeError;
    switch (error.status()) {
      case BK_BAD_INPUT: kind = PyExc_ValueError; break;
      case BK_UNSUPPORTED: kind = PyExc_NotImplementedError; break;
      case BK_IO: kind = PyExc_OSError; break;
      case BK_LIMIT:
      case BK_NO_MEMORY: kind = PyExc_MemoryError; break;
      default: break;
    }
    PyErr_SetObject(kind, text(error.what()).ptr());
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace bankside_python

NB_MODULE(_core, m) {
  using namespace bankside_python;
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    if (!setError(thrown)) std::rethrow_exception(thrown);
  });
  m.def("version", &bk_version);
  m.def("catalogue", &catalogue);
  m.attr("WIDEST_VESSEL_DEGREES") = BK_WIDEST_VESSEL_DEGREES;
  m.def("recipes", &namesOf<bk_recipe_catalogue_size, bk_recipe_catalogue_name>);
  m.def("engines", &namesOf<bk_engine_list_size, bk_engine_list_name>);
  m.def(
      "stream_wait",
      [](std::uint64_t stream, std::uint64_t earlier) {
        bankside::Status(bk_stream_wait(reinterpret_cast<void*>(stream), reinterpret_cast<void*>(earlier)))
            .orThrow();
      },
      "stream"_a, "earlier"_a);
  nb::class_<DeviceArray>(m, "DeviceArray")
      .def(nb::init<nb::object, bool, const std::string&>(), "capsule"_a, "written"_a, "what"_a)
      .def(nb::init<std::uint64_t, std::vector<std::int64_t>, std::vector<std::int64_t>, const std::string&,
                    bool, const std::string&>(),
           "address"_a, "shape"_a, "strides"_a, "type"_a, "written"_a, "what"_a)
      .def_prop_ro("shape",
                   [](const DeviceArray& a) {
                     nb::list sizes;
                     for (std::size_t i = 0; i < a.axes; ++i) sizes.append(a.shape[i]);
                     return nb::tuple(sizes);
                   })
      .def_prop_ro("type", [](const DeviceArray& a) { return nameOf(a.type); })
      .def_prop_ro("device", &DeviceArray::device)
      .def_prop_ro("dense", &DeviceArray::dense);
  nb::class_<PyBank>(m, "Bank")
      .def(nb::init<nb::handle, bool>(), "name"_a, "may_be_file"_a)
      .def(nb::init<const nb::ndarray<const float, nb::c_contig, nb::device::cpu>&, const std::string&,
                    std::optional<std::pair<int, int>>>(),
           "taps"_a, "mode"_a, "anchor"_a.none())
      .def(nb::init<const std::string&, nb::bytes>(), "text"_a, "name"_a)
      .def("state", &PyBank::state)
      .def_prop_ro("name", [](const PyBank& b) { return text(b.info().name); })
      .def_prop_ro("title", [](const PyBank& b) { return text(b.info().title); })
      .def_prop_ro("citation", [](const PyBank& b) { return text(b.info().citation); })
      .def_prop_ro("channels", [](const PyBank& b) { return b.info().channels; })
      .def_prop_ro("filters", [](const PyBank& b) { return b.info().filters; })
      .def_prop_ro("mode", [](const PyBank& b) { return modes[b.info().mode]; })
      .def("labels", &PyBank::labels)
      .def("taps", &tapsOf, "index"_a)
      .def(
          "anchor",
          [](const PyBank& b, std::int32_t i) {
            return std::pair(b.filter(i).anchor_x, b.filter(i).anchor_y);
          },
          "index"_a);
  nb::class_<PyPlan>(m, "Plan")
      .def(nb::init<const PyBank&, const std::vector<std::int64_t>&, const std::string&, const std::string&,
                    float, const std::string&, const std::string&, const std::string&, const std::string&,
                    std::optional<int>, int, const std::string&, bool>(),
           "bank"_a, "shape"_a, "dtype"_a, "border"_a, "border_value"_a, "combine"_a, "precision"_a,
           "engine"_a, "result"_a, "channel_axis"_a.none(), "threads"_a, "device"_a, "any_strides"_a)
      .def("__call__", &PyPlan::run, "image"_a.none(), "out"_a.none() = nb::none(),
           "stream"_a.none() = nb::none(), runDocumentation)
      .def("start", &PyPlan::start, "stream"_a, "image"_a, "out"_a, "indices"_a.none(),
           "Of a plan for a device: starts the work on a stream.")
      .def_prop_ro(
          "device", [](const PyPlan& p) { return text(p.plan().info().device); },
          "Where pixels lie: \"cpu\" or \"cuda:0\".")
      .def_prop_ro("has_indices", &PyPlan::hasIndices, "Whether results are values and indices.")
      .def_prop_ro("result", &PyPlan::resultType, "The results' type.")
      .def_prop_ro(
          "engine", [](const PyPlan& p) { return text(p.plan().info().engine); }, "Who computes.")
      .def_prop_ro(
          "choice", [](const PyPlan& p) { return text(p.plan().info().choice); }, "What was chosen, and why.")
      .def_prop_ro(
          "shape",
          [](const PyPlan& p) {
            nb::list sizes;
            for (const std::size_t size : p.shape()) sizes.append(size);
            return nb::tuple(sizes);
          },
          "Of the results.")
      .def_prop_ro(
          "labels", [](const PyPlan& p) { return nb::tuple(nb::cast(p.labels())); },
          "Of the results' planes in order.");
  nb::class_<PyRecipe>(m, "Recipe")
      .def(nb::init<nb::handle, double, int, std::int64_t>(), "name"_a, "scale"_a, "threads"_a, "memory"_a)
      .def_prop_ro("title", [](const PyRecipe& r) { return text(r.info().title); })
      .def_prop_ro("citation", [](const PyRecipe& r) { return text(r.info().citation); })
      .def_prop_ro("channel", [](const PyRecipe& r) { return r.info().channel; })
      .def_prop_ro("threshold", [](const PyRecipe& r) { return r.info().threshold; })
      .def_prop_ro("labels", &PyRecipe::labels)
      .def("run", &PyRecipe::run, "image"_a.none(), "field"_a.none(), "channel_axis"_a.none());
  nb::class_<KeptPlans>(m, "KeptPlans", nb::type_slots(keptPlansSlots))
      .def(nb::init<nb::object>(), "prepare"_a)
      .def("before", [](nb::pointer_and_handle<KeptPlans> self, nb::handle function) {
        return filterCall(self.h, function);
      });
}
