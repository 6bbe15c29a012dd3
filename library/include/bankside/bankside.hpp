/// The C++20 face of libbankside: what bankside.h says, with owners instead of handles. Header-only.
///
///   auto bank = bankside::Bank::make("sobel").value();
///   auto plan = bankside::Plan::prepare(bank, {.height = h, .width = w}).value();
///   plan.execute(bankside::view(pixels, {1, h, w}), bankside::view(results, {plan.planes(), h,
///   w})).orThrow();
///
/// Nothing here throws but `value()` and `orThrow()`, which do not exist where exceptions are switched off:
/// there one asks a Result or Status whether it holds. Owners are move-only; theirs may be used by several
/// threads at once, as the handles may.
#pragma once

#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <utility>

#include "bankside/bankside.h"
#include "bankside/status.hpp"

namespace bankside {
/// Versioned, so that programs never meet the names inside a library that is linked to them.
inline namespace face0 {

enum class Type { f32 = BK_F32, u8 = BK_U8, u16 = BK_U16, f16 = BK_F16 };

enum class Border {
  reflect101 = BK_BORDER_REFLECT101,
  constant = BK_BORDER_CONSTANT,
  replicate = BK_BORDER_REPLICATE,
  reflect = BK_BORDER_REFLECT,
  wrap = BK_BORDER_WRAP
};

enum class Combine {
  none = BK_COMBINE_NONE,
  max = BK_COMBINE_MAX,
  absmax = BK_COMBINE_ABSMAX,
  argmax = BK_COMBINE_ARGMAX,
  mean = BK_COMBINE_MEAN,
  sum = BK_COMBINE_SUM,
  magnitude = BK_COMBINE_MAGNITUDE
};

enum class Precision { fp32 = BK_PRECISION_FP32, exact = BK_PRECISION_EXACT, fp16 = BK_PRECISION_FP16 };

enum class Mode { correlation = BK_CORRELATION, convolution = BK_CONVOLUTION };

/// The bits of an IEEE 754 binary16.
enum class Half : std::uint16_t {};

namespace inside {

template <auto free>
struct Free {
  template <class T>
  void operator()(T* handle) const {
    free(handle);
  }
};
template <class T, auto free>
using Handle = std::unique_ptr<T, Free<free>>;

template <class T>
struct TypeOf;
template <>
struct TypeOf<float> {
  static constexpr Type value = Type::f32;
};
template <>
struct TypeOf<std::uint8_t> {
  static constexpr Type value = Type::u8;
};
template <>
struct TypeOf<std::uint16_t> {
  static constexpr Type value = Type::u16;
};
template <>
struct TypeOf<Half> {
  static constexpr Type value = Type::f16;
};

}  // namespace inside

struct Shape {
  std::int64_t channels = 1;
  std::int64_t height = 1;
  std::int64_t width = 1;
};

/// In bytes, of any sign.
struct Strides {
  std::int64_t channel = 0;
  std::int64_t row = 0;
  std::int64_t pixel = 0;
};

/// Somebody's pixels [channels][height][width]; `T` const for an image, else for results.
template <class T>
class View {
 public:
  static constexpr Type type = inside::TypeOf<std::remove_const_t<T>>::value;

  View(T* data, Shape shape)
      : raw_(bk_dense_view(bare(data), static_cast<std::int32_t>(type), shape.channels, shape.height,
                           shape.width)) {}
  View(T* data, Shape shape, Strides strides) : View(data, shape) {
    raw_.channel_stride = strides.channel;
    raw_.row_stride = strides.row;
    raw_.pixel_stride = strides.pixel;
  }
  const bk_view& raw() const { return raw_; }

 private:
  static void* bare(T* data) { return const_cast<std::remove_const_t<T>*>(data); }
  bk_view raw_;
};

/// Of a dense array: a span, a vector, whatever makes a span. The view has no data, which every execution
/// refuses, where the array is too short.
template <std::ranges::borrowed_range Array>
auto view(Array&& array, Shape shape) {
  const std::span pixels(array);
  const auto size = static_cast<double>(shape.channels) * static_cast<double>(shape.height) *
                    static_cast<double>(shape.width);
  const bool longEnough = size <= static_cast<double>(pixels.size());
  return View<typename decltype(pixels)::element_type>(longEnough ? pixels.data() : nullptr, shape);
}

/// Memory of the caller's for plans on the host: bankside.h says which, and how it is asked for.
struct Allocator {
  bk_allocate* allocate = nullptr;
  bk_release* release = nullptr;
  void* data = nullptr;
};

/// Threads of an execution, where remarks go, and whose memory plans take.
class Context {
 public:
  static Result<Context> make(int threads = 0, bk_log* log = nullptr, void* data = nullptr,
                              const Allocator& memory = {}) {
    bk_context_options options = {};
    options.size = sizeof options;
    options.threads = threads;
    options.log = log;
    options.log_data = data;
    options.allocate = memory.allocate;
    options.release = memory.release;
    options.allocator_data = memory.data;
    bk_context* handle = nullptr;
    const Status status(bk_context_create(&options, &handle));
    if (!status) return status;
    return Context(handle);
  }
  const bk_context* handle() const { return handle_.get(); }

 private:
  explicit Context(bk_context* handle) : handle_(handle) {}
  inside::Handle<bk_context, bk_context_free> handle_;
};

/// The taps of a bank [filters][channels][height][width].
struct Taps {
  std::span<const float> taps;
  int filters = 1;
  int channels = 1;
  int height = 1;
  int width = 1;
  Mode mode = Mode::correlation;
  const std::int32_t* anchor = nullptr;  ///< {x, y}; the middle where it is null
};

class Bank {
 public:
  /// A bank of the catalogue: "vessel-matched:sigma=1.5,length=7".
  static Result<Bank> make(const std::string& specification) {
    bk_bank* handle = nullptr;
    const bk_status code = bk_bank_make(specification.c_str(), &handle);
    return own(code, handle);
  }
  /// The same, or a file.
  static Result<Bank> load(const std::string& specificationOrFile) {
    bk_bank* handle = nullptr;
    const bk_status code = bk_bank_load(specificationOrFile.c_str(), &handle);
    return own(code, handle);
  }
  static Result<Bank> fromTaps(const Taps& given) {
    const double size = 1.0 * given.filters * given.channels * given.height * given.width;
    if (size > static_cast<double>(given.taps.size()))
      return Status(BK_BAD_INPUT, "the array of taps is shorter than its shape says");
    bk_taps taps = {};
    taps.size = sizeof taps;
    taps.taps = given.taps.data();
    taps.filters = given.filters;
    taps.channels = given.channels;
    taps.height = given.height;
    taps.width = given.width;
    taps.mode = static_cast<std::int32_t>(given.mode);
    taps.anchor = given.anchor;
    bk_bank* handle = nullptr;
    const bk_status code = bk_bank_from_taps(&taps, &handle);
    return own(code, handle);
  }
  /// Of what `text` gave, with a name.
  static Result<Bank> parse(const std::string& text, const std::string& name) {
    bk_bank* handle = nullptr;
    const bk_status code = bk_bank_parse(text.c_str(), name.c_str(), &handle);
    return own(code, handle);
  }
  /// The JSON of a bank file.
  Result<std::string> text() const {
    const char* text = nullptr;
    const Status status(bk_bank_text(handle_.get(), &text));
    if (!status) return status;
    return std::string(text);
  }
  /// Texts stay as long as the bank.
  bk_bank_info info() const {
    bk_bank_info info = {};
    info.size = sizeof info;
    bk_bank_describe(handle_.get(), &info);
    return info;
  }
  const bk_bank* handle() const { return handle_.get(); }

 private:
  explicit Bank(bk_bank* handle) : handle_(handle) {}
  static Result<Bank> own(bk_status code, bk_bank* handle) {
    const Status status(code);
    if (!status) return status;
    return Bank(handle);
  }
  inside::Handle<bk_bank, bk_bank_free> handle_;
};

struct PlanOptions {
  std::int64_t channels = 1;
  std::int64_t height = 1;
  std::int64_t width = 1;
  Type type = Type::f32;
  Type resultType = Type::f32;
  Border border = Border::reflect101;
  float borderValue = 0;
  Combine combine = Combine::none;
  Precision precision = Precision::fp32;
  const char* engine = nullptr;
  const char* device = nullptr;  ///< "cuda:0": pixels lie in device memory
  bool anyStrides = false;       ///< of a device
};

/// Somebody's wish that executions end.
class Stop {
 public:
  static Result<Stop> make() {
    bk_stop* handle = nullptr;
    const Status status(bk_stop_create(&handle));
    if (!status) return status;
    return Stop(handle);
  }
  void request() { bk_stop_request(handle_.get()); }
  const bk_stop* handle() const { return handle_.get(); }

 private:
  explicit Stop(bk_stop* handle) : handle_(handle) {}
  inside::Handle<bk_stop, bk_stop_free> handle_;
};

class Plan {
 public:
  static Result<Plan> prepare(const Bank& bank, const PlanOptions& given) {
    return prepare(nullptr, bank, given);
  }
  static Result<Plan> prepare(const Context& context, const Bank& bank, const PlanOptions& given) {
    return prepare(context.handle(), bank, given);
  }

  std::int64_t planes() const { return info_.planes; }
  const bk_plan* handle() const { return handle_.get(); }
  /// Texts stay as long as the plan.
  const bk_plan_info& info() const { return info_; }

  template <class Pixel, class Value>
  Status execute(View<const Pixel> image, View<Value> results, const Stop* stop = nullptr) const {
    return execute(image.raw(), results.raw(), nullptr, stop);
  }
  template <class Pixel, class Value>
  Status execute(View<Pixel> image, View<Value> results, const Stop* stop = nullptr) const {
    return execute(image.raw(), results.raw(), nullptr, stop);
  }
  /// Of Combine::argmax.
  template <class Pixel>
  Status execute(View<Pixel> image, View<float> results, View<std::uint16_t> indices,
                 const Stop* stop = nullptr) const {
    return execute(image.raw(), results.raw(), &indices.raw(), stop);
  }
  Status execute(const bk_view& image, const bk_view& results, const bk_view* indices,
                 const Stop* stop) const {
    bk_run_options run = {};
    run.size = sizeof run;
    run.stop = stop == nullptr ? nullptr : stop->handle();
    return Status(bk_execute(handle_.get(), &image, &results, indices, &run));
  }

  /// Of a plan for a device: starts the work on `stream`, a cudaStream_t, and comes back. Views are of device
  /// memory.
  template <class Pixel, class Value>
  Status start(void* stream, View<Pixel> image, View<Value> results) const {
    return start(stream, image.raw(), results.raw(), nullptr);
  }
  template <class Pixel>
  Status start(void* stream, View<Pixel> image, View<float> results, View<std::uint16_t> indices) const {
    return start(stream, image.raw(), results.raw(), &indices.raw());
  }
  Status start(void* stream, const bk_view& image, const bk_view& results, const bk_view* indices) const {
    bk_run_options run = {};
    run.size = sizeof run;
    run.stream = stream;
    return Status(bk_execute(handle_.get(), &image, &results, indices, &run));
  }

 private:
  explicit Plan(bk_plan* handle) : handle_(handle) {}
  static Result<Plan> prepare(const bk_context* context, const Bank& bank, const PlanOptions& given) {
    bk_plan_options options = {};
    options.size = sizeof options;
    options.channels = given.channels;
    options.height = given.height;
    options.width = given.width;
    options.type = static_cast<std::int32_t>(given.type);
    options.result_type = static_cast<std::int32_t>(given.resultType);
    options.border = static_cast<std::int32_t>(given.border);
    options.border_value = given.borderValue;
    options.combine = static_cast<std::int32_t>(given.combine);
    options.precision = static_cast<std::int32_t>(given.precision);
    options.engine = given.engine;
    options.device = given.device;
    options.any_strides = given.anyStrides ? 1 : 0;
    bk_plan* handle = nullptr;
    const Status status(bk_plan_create(context, bank.handle(), &options, &handle));
    if (!status) return status;
    Plan plan(handle);
    plan.info_.size = sizeof plan.info_;
    const Status described(bk_plan_describe(handle, &plan.info_));
    if (!described) return described;
    return plan;
  }
  inside::Handle<bk_plan, bk_plan_free> handle_;
  bk_plan_info info_ = {};
};

}  // namespace face0
}  // namespace bankside
