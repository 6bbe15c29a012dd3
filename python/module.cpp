// bankside._core: the C++ face of libbankside in Python. What users call is bankside/__init__.py.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/arrays.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace bankside_python {
namespace {

/// The number of a word in the public header's order. Throws ValueError with the words that there are.
template <std::size_t count>
std::int32_t wordOf(const char* const (&words)[count], const std::string& word, const char* what) {
  std::string known;
  for (std::size_t i = 0; i < count; ++i) {
    if (word == words[i]) return static_cast<std::int32_t>(i);
    known += (known.empty() ? "" : i + 1 == count ? " and " : ", ") + std::string(words[i]);
  }
  throw nb::value_error(
      (std::string("there is no ") + what + " \"" + word + "\"; there are " + known).c_str());
}

constexpr const char* borders[] = {"reflect101", "constant", "replicate", "reflect", "wrap"};
constexpr const char* combines[] = {"none", "max", "absmax", "argmax", "mean", "sum", "magnitude"};
constexpr const char* precisions[] = {"fp32", "exact", "fp16"};
constexpr const char* modes[] = {"correlation", "convolution"};

/// Sentences of the library are UTF-8, names of strangers' files perhaps not.
nb::str text(const char* bytes) {
  return nb::steal<nb::str>(PyUnicode_DecodeUTF8(bytes, static_cast<Py_ssize_t>(strlen(bytes)), "replace"));
}

class PyBank {
 public:
  PyBank(const std::string& name, bool mayBeFile)
      : bank_((mayBeFile ? bankside::Bank::load(name) : bankside::Bank::make(name)).value()) {}

  /// Taps [kh,kw], [F,kh,kw] or [F,C,kh,kw], f32.
  PyBank(const nb::ndarray<const float, nb::c_contig, nb::device::cpu>& taps, const std::string& mode,
         std::optional<std::pair<int, int>> anchor)
      : bank_(fromTaps(taps, mode, anchor)) {}

  const bankside::Bank& bank() const { return bank_; }
  bk_bank_info info() const { return bank_.info(); }

  bk_filter_info filter(std::int32_t index) const {
    bk_filter_info info = {};
    info.size = sizeof info;
    bankside::Status(bk_bank_filter(bank_.handle(), index, &info)).orThrow();
    return info;
  }

  std::vector<std::string> labels() const {
    std::vector<std::string> labels;
    for (std::int32_t i = 0; i < info().filters; ++i) labels.push_back(filter(i).label);
    return labels;
  }

 private:
  static bankside::Bank fromTaps(const nb::ndarray<const float, nb::c_contig, nb::device::cpu>& taps,
                                 const std::string& mode, std::optional<std::pair<int, int>> anchor) {
    const std::size_t axes = taps.ndim();
    if (axes < 2 || axes > 4) {
      throw nb::value_error(
          ("taps have " + std::to_string(axes) + " axes, expected [kh,kw], [F,kh,kw] or [F,C,kh,kw]")
              .c_str());
    }
    for (std::size_t i = 0; i < axes; ++i) {
      if (taps.shape(i) > 4096)
        throw nb::value_error("an axis of the taps is longer than 4096, which no bank has");
    }
    const auto size = [&](std::size_t axis) { return static_cast<int>(taps.shape(axis)); };
    const std::int32_t place[] = {anchor ? anchor->first : 0, anchor ? anchor->second : 0};
    bankside::Taps given;
    given.taps = std::span<const float>(taps.data(), taps.size());
    given.filters = axes > 2 ? size(0) : 1;
    given.channels = axes == 4 ? size(1) : 1;
    given.height = size(axes - 2);
    given.width = size(axes - 1);
    given.mode = static_cast<bankside::Mode>(wordOf(modes, mode, "mode"));
    given.anchor = anchor ? place : nullptr;
    return bankside::Bank::fromTaps(given).value();
  }

  bankside::Bank bank_;
};

class PyPlan {
 public:
  PyPlan(const PyBank& bank, const std::vector<std::int64_t>& shape, const std::string& dtype,
         const std::string& border, float borderValue, const std::string& combine,
         const std::string& precision, const std::string& engine, const std::string& result, int channelAxis,
         int threads, const std::string& device, bool anyStrides)
      : channelAxis_(channelAxis), resultType_(typeNamed(result)), onDevice_(device != "cpu") {
    // The shape goes the way of an image's.
    const std::vector<std::int64_t> strides(shape.size(), 1);
    image_ = viewOf(nullptr, typeNamed(dtype), shape.size(), shape.data(), strides.data(), channelAxis,
                    "an image");
    bankside::PlanOptions options;
    options.channels = image_.channels;
    options.height = image_.height;
    options.width = image_.width;
    options.type = static_cast<bankside::Type>(image_.type);
    options.resultType = static_cast<bankside::Type>(resultType_);
    options.border = static_cast<bankside::Border>(wordOf(borders, border, "border"));
    options.borderValue = borderValue;
    options.combine = static_cast<bankside::Combine>(wordOf(combines, combine, "combine"));
    options.precision = static_cast<bankside::Precision>(wordOf(precisions, precision, "precision"));
    options.engine = engine.c_str();
    options.device = device.c_str();
    options.anyStrides = anyStrides;
    const nb::gil_scoped_release release;
    const bankside::Context context = bankside::Context::make(threads).value();
    plan_.emplace(bankside::Plan::prepare(context, bank.bank(), options).value());
    hasIndices_ = plan_->info().index_planes > 0;
    // [C,F,H,W], where channels are summed [F,H,W]; a combine leaves one plane of the F.
    const std::int64_t groups = bank.info().channels == options.channels ? 1 : options.channels;
    if (shape.size() == 3 && groups > 1) shape_.push_back(static_cast<std::size_t>(groups));
    if (options.combine == bankside::Combine::none)
      shape_.push_back(static_cast<std::size_t>(plan_->planes() / groups));
    shape_.push_back(static_cast<std::size_t>(options.height));
    shape_.push_back(static_cast<std::size_t>(options.width));
  }

  /// On the host; on a device _device.py has the arrays' libraries and their streams.
  nb::object run(nb::handle image, nb::handle out, nb::handle stream) const {
    if (onDevice_)
      return nb::module_::import_("bankside._device").attr("run")(nb::find(this), image, out, stream);
    if (!stream.is_none())
      throw nb::value_error("a stream belongs to a plan for a device, not to one for the host");
    const HeldArray from(image, HeldArray::For::Reading, "the image");
    const bk_view source =
        viewOf(from.data, from.type, from.axes, from.shape, from.strides, channelAxis_, "the image");
    if (out.is_none()) return runToNew(source, image);
    if (hasIndices_) {
      if (!nb::isinstance<nb::tuple>(out) || nb::len(out) != 2)
        throw nb::type_error("out of an argmax is a pair of arrays, values and indices");
      const HeldArray values(out[nb::int_(0)], HeldArray::For::Writing, "out's values");
      const HeldArray indices(out[nb::int_(1)], HeldArray::For::Writing, "out's indices");
      const bk_view places = outputView(indices, "out's indices");
      execute(source, outputView(values, "out's values"), &places);
    } else {
      const HeldArray values(out, HeldArray::For::Writing, "out");
      execute(source, outputView(values, "out"), nullptr);
    }
    return nb::borrow(out);
  }

  void start(std::uint64_t stream, const DeviceArray& image, const DeviceArray& out,
             const DeviceArray* indices) const {
    const bk_view source =
        viewOf(image.data, image.type, image.axes, image.shape, image.strides, channelAxis_, "the image");
    const bk_view to = outputView(out, indices == nullptr ? "out" : "out's values");
    bk_view places = {};
    if (indices != nullptr) places = outputView(*indices, "out's indices");
    bk_status status = BK_OK;
    {
      const nb::gil_scoped_release release;
      status =
          plan_->start(reinterpret_cast<void*>(stream), source, to, indices == nullptr ? nullptr : &places)
              .code();
    }
    bankside::Status(status).orThrow();
  }

  bool hasIndices() const { return hasIndices_; }
  const char* resultType() const { return nameOf(resultType_); }
  std::int64_t height() const { return image_.height; }
  std::int64_t width() const { return image_.width; }
  const bankside::Plan& plan() const { return *plan_; }
  const std::vector<std::size_t>& shape() const { return shape_; }

  std::vector<std::string> labels() const {
    std::vector<std::string> labels;
    for (std::int64_t i = 0; i < plan_->planes(); ++i) {
      bk_plane_info info = {};
      info.size = sizeof info;
      bankside::Status(bk_plan_plane(plan_->handle(), i, &info)).orThrow();
      labels.push_back(info.label);
    }
    return labels;
  }

 private:
  nb::object runToNew(const bk_view& source, nb::handle like) const {
    void* data = nullptr;
    const nb::object values = newArray(resultType_, shape_.data(), shape_.size(), like, data);
    const bk_view to = bk_dense_view(data, resultType_, plan_->planes(), height(), width());
    if (!hasIndices_) {
      execute(source, to, nullptr);
      return values;
    }
    const nb::object indices = newArray(BK_U16, shape_.data(), shape_.size(), like, data);
    const bk_view places = bk_dense_view(data, BK_U16, plan_->planes(), height(), width());
    execute(source, to, &places);
    return nb::make_tuple(values, indices);
  }

  void execute(const bk_view& source, const bk_view& to, const bk_view* places) const {
    bk_status status = BK_OK;
    {
      const nb::gil_scoped_release release;
      status = plan_->execute(source, to, places, nullptr).code();
    }
    bankside::Status(status).orThrow();
  }

  /// Planes of an array of results [...,H,W], all of whose leading axes lie evenly.
  bk_view outputView(const ArrayPlaces& array, const char* what) const {
    const std::size_t axes = shape_.size();
    bool fits = array.axes == axes;
    for (std::size_t i = 0; fits && i < axes; ++i)
      fits = array.shape[i] == static_cast<std::int64_t>(shape_[i]);
    std::int64_t plane[3] = {1, height(), width()};
    std::int64_t strides[3] = {0, fits ? array.strides[axes - 2] : 0, fits ? array.strides[axes - 1] : 0};
    if (fits && axes > 2) {
      plane[0] = plan_->planes();
      strides[0] = array.strides[axes - 3];
      const std::int64_t inner = array.shape[axes - 3];
      if (axes == 4 && inner == 1) strides[0] = array.strides[0];
      fits = axes == 3 || inner == 1 || array.shape[0] == 1 || array.strides[0] == inner * strides[0];
    }
    if (!fits) {
      std::string shape;
      for (const std::size_t size : shape_) shape += (shape.empty() ? "" : ",") + std::to_string(size);
      throw nb::value_error(
          (std::string(what) + " is no array of shape [" + shape + "] with its planes at even distances")
              .c_str());
    }
    return viewOf(array.data, array.type, 3, plane, strides, 0, what);
  }

  int channelAxis_;
  std::int32_t resultType_;
  bool onDevice_;
  bk_view image_ = {};
  std::optional<bankside::Plan> plan_;
  bool hasIndices_ = false;
  std::vector<std::size_t> shape_;
};

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

void translate(const std::exception_ptr& thrown, void*) {
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
  }
}

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

}  // namespace
}  // namespace bankside_python

NB_MODULE(_core, m) {
  using namespace bankside_python;
  nb::register_exception_translator(translate);
  m.def("version", &bk_version);
  m.def("catalogue", &catalogue);
  m.def(
      "type_of",
      [](nb::handle array) -> nb::object {
        if (liesOnDevice(array)) return nb::none();
        const HeldArray a(array, HeldArray::For::Shape, "the image");
        nb::list shape;
        for (std::size_t i = 0; i < a.axes; ++i) shape.append(a.shape[i]);
        return nb::make_tuple(nb::tuple(shape), nameOf(a.type));
      },
      "array"_a.none());
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
      .def(nb::init<const std::string&, bool>(), "name"_a, "may_be_file"_a)
      .def(nb::init<const nb::ndarray<const float, nb::c_contig, nb::device::cpu>&, const std::string&,
                    std::optional<std::pair<int, int>>>(),
           "taps"_a, "mode"_a, "anchor"_a.none())
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
                    int, int, const std::string&, bool>(),
           "bank"_a, "shape"_a, "dtype"_a, "border"_a, "border_value"_a, "combine"_a, "precision"_a,
           "engine"_a, "result"_a, "channel_axis"_a, "threads"_a, "device"_a, "any_strides"_a)
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
}
