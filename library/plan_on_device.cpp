#include "library/plan_on_device.h"

#include "kernels/device_engines.h"
#include "kernels/devices.h"
#include "library/status.h"

namespace bankside::library {
namespace {

const EngineList& deviceEngines() {
  static const EngineList list = makeDeviceEngines();
  return list;
}

/// The number of "cuda:1", of a device that plans can be made for.
int requireDevice(const std::string& device) {
  const auto index = deviceNumber(device);
  if (!index) refuse("there is no device \"" + device + "\"; there are cpu, cuda:0, cuda:1 and so on");
  if (const Support state = deviceEnginesAvailable(*index); !state)
    throw Error(ErrorCode::Unsupported, "no plan can be made for " + device + ": " + state.reason);
  return *index;
}

/// The bank in runs of neighbours of one size and anchor, each with the number of its first filter.
std::vector<std::pair<FilterBank, int>> runsOf(const FilterBank& bank) {
  const auto alike = [&](int i, int k) {
    const Filter& a = bank[i];
    const Filter& b = bank[k];
    return a.height == b.height && a.width == b.width && a.anchorX == b.anchorX && a.anchorY == b.anchorY;
  };
  std::vector<std::pair<FilterBank, int>> runs;
  for (int first = 0, end = 1; first < bank.size(); first = end++) {
    std::vector<Filter> filters{bank[first]};
    for (; end < bank.size() && alike(first, end); ++end) filters.push_back(bank[end]);
    runs.emplace_back(FilterBank(bank.info(), std::move(filters)), first);
  }
  return runs;
}

DevicePlanes planesOf(const bk_view& view, std::int64_t first, std::int64_t groupPlanes) {
  return {static_cast<std::byte*>(view.data) + first * view.channel_stride,
          static_cast<std::ptrdiff_t>(view.channel_stride), static_cast<std::ptrdiff_t>(view.row_stride),
          static_cast<std::ptrdiff_t>(view.pixel_stride),
          static_cast<std::ptrdiff_t>(groupPlanes * view.channel_stride)};
}

}  // namespace

PlanOnDevice::PlanOnDevice(const FilterBank& bank, const PlanRequest& request) : PreparedPlan(request, bank) {
  const ForDevice here(requireDevice(request.device));
  requireEngineOf(deviceEngines(), request.engine);
  const auto runs = runsOf(bank);
  if (runs.size() > 1 && request.combine != Combine::None) {
    throw Error(ErrorCode::Unsupported,
                std::string("a device combines filters of one size; ") + toString(request.combine) +
                    " of these is left to the host, or to the caller after a plan without a combine");
  }
  if (request.combine == Combine::None) responses_ = bank.size();
  for (const auto& [part, first] : runs) {
    const ConvolutionProblem problem =
        makeProblem(part, request.channels, request.height, request.width, request.type, request.resultType,
                    request.border, request.combine);
    const Engine& engine = selectEngineOf(deviceEngines(), request.engine, problem);
    runs_.push_back({engine.name(),
                     dynamic_cast<const DeviceEngine&>(engine).prepareDevice(
                         problem, part, {request.options.precision, request.anyStrides}),
                     first});
  }
}

std::vector<PreparedPlan::Part> PlanOnDevice::parts() const {
  std::vector<Part> parts;
  for (const Run& run : runs_) parts.push_back({run.engine, run.plan->info()});
  return parts;
}

void PlanOnDevice::execute(const bk_view& image, const bk_view& results, const bk_view* indices,
                           const Execution& how) const {
  if (how.stop != nullptr)
    refuse("a stop is given, but work that was started on a stream goes on to its end");
  checkViews(image, results, indices);
  const DevicePlanes from = planesOf(image, 0, 1);
  DevicePlanes places;
  if (indices != nullptr) places = planesOf(*indices, 0, 1);
  for (const Run& run : runs_) {
    run.plan->start(from, planesOf(results, run.first, responses_), indices == nullptr ? nullptr : &places,
                    how.stream);
  }
}

}  // namespace bankside::library
