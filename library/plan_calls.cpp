// The entries of the public header about plans, and their execution.
#include <cmath>

#include "kernels/device_engines.h"
#include "library/handles.h"
#include "library/plan_on_device.h"
#include "library/plan_on_host.h"
#include "library/sized.h"

namespace {

using namespace bankside;
using namespace bankside::library;

/// Most pixels a side, as in a problem's text.
constexpr std::int64_t mostPixels = 1'000'000'000;

/// The word of that number in the public header's order.
template <class Word, std::size_t count>
Word wordOf(const Word (&words)[count], std::int32_t number, const char* what) {
  if (number >= 0 && static_cast<std::size_t>(number) < count) return words[number];
  refuse(std::string("there is no ") + what + " " + std::to_string(number) + "; they are 0 to " +
         std::to_string(count - 1));
}

int sideOf(std::int64_t number, std::int64_t most, const char* what) {
  if (number >= 1 && number <= most) return static_cast<int>(number);
  refuse(std::string("an image of ") + std::to_string(number) + " " + what + ", expected 1 to " +
         std::to_string(most));
}

PlanRequest requestOf(const bk_plan_options& options, const bk_context* context) {
  constexpr BorderKind borders[] = {BorderKind::Reflect101, BorderKind::Constant, BorderKind::Replicate,
                                    BorderKind::Reflect, BorderKind::Wrap};
  constexpr Combine combines[] = {Combine::None, Combine::Max, Combine::AbsMax,   Combine::ArgMax,
                                  Combine::Mean, Combine::Sum, Combine::Magnitude};
  constexpr Precision precisions[] = {Precision::Fp32, Precision::Exact, Precision::Fp16};
  PlanRequest request;
  request.channels = sideOf(options.channels, maxFilterCount, "channels");
  request.height = sideOf(options.height, mostPixels, "rows");
  request.width = sideOf(options.width, mostPixels, "columns");
  request.type = elementType(options.type);
  request.resultType = elementType(options.result_type);
  request.border.kind = wordOf(borders, options.border, "border");
  request.border.value = options.border_value;
  if (!std::isfinite(options.border_value)) refuse("the border's value is not a finite number");
  if (!request.border.isConstant() && options.border_value != 0)
    refuse("a border value is given, which the constant border alone has");
  request.combine = wordOf(combines, options.combine, "combine");
  if (request.combine == Combine::ArgMax && request.resultType != ElementType::F32)
    refuse("the values of an argmax are f32, not " + std::string(toString(request.resultType)));
  request.options.precision = wordOf(precisions, options.precision, "precision");
  request.options.threads = context == nullptr ? 0 : context->options.threads;
  if (context != nullptr && context->options.allocate != nullptr)
    request.memory = std::make_shared<CallerMemory>(context->options);
  if (options.engine != nullptr) request.engine = options.engine;
  if (options.device != nullptr) request.device = options.device;
  if (options.any_strides != 0 && options.any_strides != 1)
    refuse("bk_plan_options.any_strides is " + std::to_string(options.any_strides) + ", expected 0 or 1");
  request.anyStrides = options.any_strides == 1;
  return request;
}

std::unique_ptr<const PreparedPlan> preparePlan(const FilterBank& bank, const PlanRequest& request) {
  if (request.device == "cpu") return std::make_unique<PlanOnHost>(bank, request);
  return std::make_unique<PlanOnDevice>(bank, request);
}

void describe(const bk_plan& plan) {
  std::call_once(plan.described, [&] {
    plan.engine = plan.plan->engineNames();
    plan.choice = plan.plan->choice();
  });
}

}  // namespace

bk_status bk_plan_create(const bk_context* context, const bk_bank* bank, const bk_plan_options* options,
                         bk_plan** plan) noexcept {
  return guarded([&] {
    require(plan, "the place for the plan") = nullptr;
    const PlanRequest request =
        requestOf(readSized(require(options, "bk_plan_options"), "bk_plan_options"), context);
    auto made = std::unique_ptr<bk_plan>(new bk_plan{preparePlan(require(bank, "the bank").bank, request)});
    if (context != nullptr && context->options.log != nullptr) {
      describe(*made);
      const std::string sentence = bank->bank.info().name + " is prepared for images of " +
                                   std::to_string(request.height) + " x " + std::to_string(request.width) +
                                   ": " + made->choice;
      context->options.log(context->options.log_data, BK_LOG_INFO, sentence.c_str());
    }
    *plan = made.release();
  });
}

void bk_plan_free(bk_plan* plan) noexcept { delete plan; }

bk_status bk_plan_describe(const bk_plan* plan, bk_plan_info* info) noexcept {
  return guarded([&] {
    const PreparedPlan& p = *require(plan, "the plan").plan;
    describe(*plan);
    const auto planes = static_cast<std::int64_t>(p.planes().size());
    writeSized<bk_plan_info>({.planes = planes,
                              .index_planes = p.hasIndices() ? planes : 0,
                              .engine = plan->engine.c_str(),
                              .choice = plan->choice.c_str(),
                              .device = p.device().c_str()},
                             info, "bk_plan_info");
  });
}

bk_status bk_plan_plane(const bk_plan* plan, int64_t plane, bk_plane_info* info) noexcept {
  return guarded([&] {
    const std::vector<PlaneName>& planes = require(plan, "the plan").plan->planes();
    if (plane < 0 || plane >= static_cast<std::int64_t>(planes.size())) {
      refuse("there is no plane " + std::to_string(plane) + " in " + std::to_string(planes.size()));
    }
    const PlaneName& name = planes[static_cast<std::size_t>(plane)];
    writeSized<bk_plane_info>({.label = name.label.c_str(), .channel = name.channel}, info, "bk_plane_info");
  });
}

bk_status bk_execute(const bk_plan* plan, const bk_view* image, const bk_view* results,
                     const bk_view* indices, const bk_run_options* options) noexcept {
  return guarded([&] {
    const PreparedPlan& p = *require(plan, "the plan").plan;
    const bk_view from = readSized(require(image, "the image's view"), "bk_view");
    const bk_view to = readSized(require(results, "the results' view"), "bk_view");
    bk_view places = {};
    if (indices != nullptr) places = readSized(*indices, "bk_view");
    const bk_run_options run = options == nullptr ? bk_run_options{} : readSized(*options, "bk_run_options");
    p.execute(from, to, indices == nullptr ? nullptr : &places,
              {run.stop == nullptr ? nullptr : &run.stop->source, run.stream});
  });
}

bk_status bk_stream_wait(void* stream, void* earlier) noexcept {
  return guarded([&] { orderStreams(earlier, stream); });
}

bk_status bk_stop_create(bk_stop** stop) noexcept {
  return guarded([&] {
    require(stop, "the place for the stop") = nullptr;
    *stop = new bk_stop;
  });
}

bk_status bk_stop_request(bk_stop* stop) noexcept {
  return guarded([&] { require(stop, "the stop").source.request_stop(); });
}

void bk_stop_free(bk_stop* stop) noexcept { delete stop; }
