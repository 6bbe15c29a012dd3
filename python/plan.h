/// A bank and a plan as Python's classes hold them.
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/arrays.h"
#include "python/names.h"
#include "python/result_array.h"

namespace bankside_python {

/// The number of a word in the public header's order. Throws ValueError with the words that there are.
template <std::size_t count>
std::int32_t wordOf(const char* const (&words)[count], const std::string& word, const char* what) {
  std::string known;
  for (std::size_t i = 0; i < count; ++i) {
    if (word == words[i]) return static_cast<std::int32_t>(i);
    known += (known.empty() ? "" : i + 1 == count ? " and " : ", ") + std::string(words[i]);
  }
  throw nanobind::value_error(
      (std::string("there is no ") + what + " \"" + word + "\"; there are " + known).c_str());
}

inline constexpr const char* borders[] = {"reflect101", "constant", "replicate", "reflect", "wrap"};
inline constexpr const char* combines[] = {"none", "max", "absmax", "argmax", "mean", "sum", "magnitude"};
inline constexpr const char* precisions[] = {"fp32", "exact", "fp16"};
inline constexpr const char* modes[] = {"correlation", "convolution"};

class PyBank {
 public:
  PyBank(nanobind::handle name, bool mayBeFile)
      : bank_((mayBeFile ? bankside::Bank::load : bankside::Bank::make)(bytesOfName(name)).value()) {}

  /// Taps [kh,kw], [F,kh,kw] or [F,C,kh,kw], f32.
  PyBank(const nanobind::ndarray<const float, nanobind::c_contig, nanobind::device::cpu>& taps,
         const std::string& mode, std::optional<std::pair<int, int>> anchor)
      : bank_(fromTaps(taps, mode, anchor)) {}

  /// Of what `state` gave.
  PyBank(const std::string& text, nanobind::handle name)
      : bank_(bankside::Bank::parse(text, bytesOfName(name)).value()) {}

  /// The JSON of a bank file, and the name's bytes.
  std::pair<std::string, nanobind::bytes> state() const {
    return {bank_.text().value(), nanobind::bytes(info().name)};
  }

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
  static bankside::Bank fromTaps(
      const nanobind::ndarray<const float, nanobind::c_contig, nanobind::device::cpu>& taps,
      const std::string& mode, std::optional<std::pair<int, int>> anchor) {
    const std::size_t axes = taps.ndim();
    if (axes < 2 || axes > 4) {
      throw nanobind::value_error(
          ("taps have " + std::to_string(axes) + " axes, expected [kh,kw], [F,kh,kw] or [F,C,kh,kw]")
              .c_str());
    }
    for (std::size_t i = 0; i < axes; ++i) {
      if (taps.shape(i) > 4096)
        throw nanobind::value_error("an axis of the taps is longer than 4096, which no bank has");
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
         const std::string& precision, const std::string& engine, const std::string& result,
         std::optional<int> channelAxis, int threads, const std::string& device, bool anyStrides)
      : channelAxis_(channelAxisOf(channelAxis, shape.size(), shape.data(), "an image")),
        resultType_(typeNamed(result)),
        onDevice_(device != "cpu") {
    // The shape goes the way of an image's.
    const std::vector<std::int64_t> strides(shape.size(), 1);
    image_ = viewOf(nullptr, typeNamed(dtype), shape.size(), shape.data(), strides.data(), channelAxis_,
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
    const nanobind::gil_scoped_release release;
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
  nanobind::object run(nanobind::handle image, nanobind::handle out, nanobind::handle stream) const {
    if (onDevice_) {
      return nanobind::module_::import_("bankside._device")
          .attr("run")(nanobind::find(this), image, out, stream);
    }
    if (!stream.is_none())
      throw nanobind::value_error("a stream belongs to a plan for a device, not to one for the host");
    return runHeld(HeldArray(image, HeldArray::For::Reading, "the image"), image, out);
  }

  /// `from` is what `image` holds.
  nanobind::object runHeld(const HeldArray& from, nanobind::handle image, nanobind::handle out) const {
    requireType(from, image_.type, "the image");
    const bk_view source =
        viewOf(from.data, from.type, from.axes, from.shape, from.strides, channelAxis_, "the image");
    if (out.is_none()) return runToNew(source, image);
    if (hasIndices_) {
      if (!nanobind::isinstance<nanobind::tuple>(out) || nanobind::len(out) != 2)
        throw nanobind::type_error("out of an argmax is a pair of arrays, values and indices");
      const HeldArray values(out[nanobind::int_(0)], HeldArray::For::Writing, "out's values");
      const HeldArray indices(out[nanobind::int_(1)], HeldArray::For::Writing, "out's indices");
      const bk_view places = outputView(indices, BK_U16, "out's indices");
      execute(source, outputView(values, resultType_, "out's values"), &places);
    } else {
      const HeldArray values(out, HeldArray::For::Writing, "out");
      execute(source, outputView(values, resultType_, "out"), nullptr);
    }
    return nanobind::borrow(out);
  }

  void start(std::uint64_t stream, const DeviceArray& image, const DeviceArray& out,
             const DeviceArray* indices) const {
    requireType(image, image_.type, "the image");
    const bk_view source =
        viewOf(image.data, image.type, image.axes, image.shape, image.strides, channelAxis_, "the image");
    const bk_view to = outputView(out, resultType_, indices == nullptr ? "out" : "out's values");
    bk_view places = {};
    if (indices != nullptr) places = outputView(*indices, BK_U16, "out's indices");
    bk_status status = BK_OK;
    {
      const nanobind::gil_scoped_release release;
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
  nanobind::object runToNew(const bk_view& source, nanobind::handle like) const {
    void* data = nullptr;
    const nanobind::object values = newArray(resultType_, shape_.data(), shape_.size(), like, data);
    const bk_view to = bk_dense_view(data, resultType_, plan_->planes(), height(), width());
    if (!hasIndices_) {
      execute(source, to, nullptr);
      return values;
    }
    const nanobind::object indices = newArray(BK_U16, shape_.data(), shape_.size(), like, data);
    const bk_view places = bk_dense_view(data, BK_U16, plan_->planes(), height(), width());
    execute(source, to, &places);
    return nanobind::make_tuple(values, indices);
  }

  void execute(const bk_view& source, const bk_view& to, const bk_view* places) const {
    bk_status status = BK_OK;
    {
      const nanobind::gil_scoped_release release;
      status = plan_->execute(source, to, places, nullptr).code();
    }
    bankside::Status(status).orThrow();
  }

  /// Planes of an array of results [...,H,W], all of whose leading axes lie evenly.
  bk_view outputView(const ArrayPlaces& array, std::int32_t type, const char* what) const {
    requireType(array, type, what);
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
      throw nanobind::value_error(
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

}  // namespace bankside_python
