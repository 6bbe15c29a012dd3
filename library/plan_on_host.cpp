#include "library/plan_on_host.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

#include "core/host_plan.h"
#include "core/parallel.h"
#include "core/work_memory.h"
#include "library/host_engines.h"
#include "library/status.h"

namespace bankside::library {
namespace {

/// Memory for the responses of one band; as for the bands of any plan (core/host_plan.cpp).
constexpr double bandBytes = 64.0 * 1024 * 1024;
/// Wider images make their workspaces in the first execution.
constexpr int widestWarmUp = 65536;
/// Pixels of images that engines may hold whole, and to spare.
constexpr int smallImage = 8192;

/// An image of that shape all of whose rows are one row of memory: what a plan is tried with.
bk_view oneRow(void* row, ElementType type, int channels, int height, int width) {
  bk_view view = bk_dense_view(row, bkType(type), channels, height, width);
  view.row_stride = view.channel_stride = 0;
  return view;
}

}  // namespace

PlanOnHost::PlanOnHost(const FilterBank& bank, const PlanRequest& request)
    : PreparedPlan(request, bank),
      pass_({bank, request.combine}, request.border, false, request.options,
            [engine = request.engine](const ConvolutionProblem& problem) -> const Engine& {
              return selectEngineOf(hostEngines(), engine, problem);
            }) {
  requireEngineOf(hostEngines(), request.engine);
  std::optional<WorkIn> in;
  if (request.memory != nullptr) in.emplace(*request.memory);
  const bk_view shape = oneRow(nullptr, request.type, request.channels, request.height, request.width);
  const ViewSource source(shape, request.type);
  steps_ = pass_.steps(source);
  if (!combinesAfterwards()) {
    for (BankPass::Step& step : steps_) {
      step.problem.dstType = request.resultType;
      step.engine = &selectEngineOf(hostEngines(), request.engine, step.problem);
    }
  }
  {
    const Untimed noClock;
    pass_.makePlans(steps_);
  }
  given_.resize(planes().size() * (hasIndices() ? 2 : 1));
  std::iota(given_.begin(), given_.end(), 0);
  double rowBytes = 0;
  for (const ElementType type : pass_.planes(request.channels))
    rowBytes += static_cast<double>(sizeOf(type)) * request.width;
  bandRows_ = std::clamp(static_cast<int>(bandBytes / rowBytes), 1, request.height);
  // Where a plan runs on one thread, all memory is at hand before its first execution.
  const bool oneThread = request.options.threads == 1 || availableThreads() == 1;
  if (oneThread && request.width <= widestWarmUp) warmUp();
}

void PlanOnHost::warmUp() {
  Image rows(3, 1, request().width, ElementType::F32);
  const auto row = [&](int channel) { return rows.plane(channel).data; };
  std::memset(row(0), 0, static_cast<std::size_t>(rows.strideBytes()));
  const bk_view image = oneRow(row(0), request().type, request().channels, request().height, request().width);
  const auto count = static_cast<int>(planes().size());
  const bk_view results = oneRow(row(1), request().resultType, count, request().height, request().width);
  const bk_view indices = oneRow(row(2), ElementType::U16, count, request().height, request().width);
  const ResultViews views{results, hasIndices() ? &indices : nullptr};
  ViewSource source(image, request().type);
  const bool small = request().width <= smallImage / request().height;
  const Region top{0, 0, request().width, small ? bandRows_ : 1};  // all rows, or what a band has
  if (combinesAfterwards()) return runAndCombine(source, views, top, {});
  for (const BankPass::Step& step : steps_) {
    ViewSink sink(views, request().resultType, step.planes);
    step.plan->run(source, sink, top, {});
  }
}

std::vector<PreparedPlan::Part> PlanOnHost::parts() const {
  std::vector<Part> parts;
  for (const BankPass::Step& step : steps_) parts.push_back({step.engine->name(), step.plan->info()});
  return parts;
}

void PlanOnHost::execute(const bk_view& image, const bk_view& results, const bk_view* indices,
                         const Execution& how) const {
  if (how.stream != nullptr) refuse("a stream is given, which plans for a device alone have");
  checkViews(image, results, indices);
  ViewSource source(image, request().type);
  const std::stop_token stop = how.stop == nullptr ? std::stop_token() : how.stop->get_token();
  if (request().memory == nullptr) return run(source, {results, indices}, stop);
  const WorkIn in(*request().memory);
  run(source, {results, indices}, stop);
}

void PlanOnHost::run(Source& source, const ResultViews& views, const std::stop_token& stop) const {
  if (!combinesAfterwards()) {
    for (const BankPass::Step& step : steps_) {
      ViewSink sink(views, request().resultType, step.planes);
      step.plan->run(source, sink, wholeImage(step.problem), stop);
    }
    return;
  }
  for (int y = 0; y < request().height; y += bandRows_) {
    const int rows = std::min(bandRows_, request().height - y);
    runAndCombine(source, views, {0, y, request().width, rows}, stop);
  }
}

void PlanOnHost::runAndCombine(Source& source, const ResultViews& views, const Region& rows,
                               const std::stop_token& stop) const {
  auto buffers = buffers_.take([&] { return makeBuffers(); });
  for (const BankPass::Step& step : steps_) BankPass::run(step, source, rows, buffers->planes, stop);
  pass_.combine(request().channels, rows.height, buffers->planes);
  ViewSink sink(views, request().resultType, given_);
  for (std::size_t i = 0; i < given_.size(); ++i) {
    ConstPlane plane = buffers->planes[pass_.hidden(request().channels) + i].plane(0);
    plane.height = rows.height;
    sink.writeRows(static_cast<int>(i), rows.y, plane);
  }
  buffers_.giveBack(std::move(buffers));
}

std::unique_ptr<PlanOnHost::Buffers> PlanOnHost::makeBuffers() const {
  auto buffers = std::make_unique<Buffers>();
  for (const ElementType type : pass_.planes(request().channels))
    buffers->planes.emplace_back(1, bandRows_, request().width, type);
  return buffers;
}

}  // namespace bankside::library
