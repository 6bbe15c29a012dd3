#include "library/prepared_plan.h"

#include <algorithm>
#include <numeric>

#include "core/host_plan.h"
#include "core/parallel.h"
#include "kernels/engine_list.h"
#include "library/status.h"

namespace bankside::library {
namespace {

/// Memory for the responses of one band; as for the bands of any plan (core/host_plan.cpp).
constexpr double bandBytes = 64.0 * 1024 * 1024;
/// Wider images make their workspaces in the first execution.
constexpr int widestWarmUp = 65536;
/// Pixels of images that engines may hold whole, and to spare.
constexpr int smallImage = 8192;

const EngineList& cpuEngines() {
  static const EngineList list = makeCpuEngines();
  return list;
}

/// An image of that shape all of whose rows are one row of memory: what a plan is tried with.
bk_view oneRow(std::vector<float>& row, ElementType type, int channels, int height, int width) {
  bk_view view = bk_dense_view(row.data(), bkType(type), channels, height, width);
  view.row_stride = view.channel_stride = 0;
  return view;
}

}  // namespace

PreparedPlan::PreparedPlan(const FilterBank& bank, const PlanRequest& request)
    : request_(request),
      pass_({bank, request.combine}, request.border, false, request.options,
            [engine = request.engine](const ConvolutionProblem& problem) -> const Engine& {
              return selectEngineOf(cpuEngines(), engine, problem);
            }) {
  requireEngineOf(cpuEngines(), request.engine);
  std::vector<float> row;
  const bk_view shape = oneRow(row, request.type, request.channels, request.height, request.width);
  const ViewSource source(shape, request.type);
  steps_ = pass_.steps(source);
  if (!combinesAfterwards()) {
    for (BankPass::Step& step : steps_) {
      step.problem.dstType = request.resultType;
      step.engine = &selectEngineOf(cpuEngines(), request.engine, step.problem);
    }
  }
  {
    const Untimed noClock;
    pass_.makePlans(steps_);
  }
  planes_ = pass_.names(request.channels);
  given_.resize(planes_.size());
  std::iota(given_.begin(), given_.end(), 0);
  if (hasIndices()) {
    std::vector<PlaneName> values;
    for (std::size_t i = 0; i < planes_.size(); i += 2) values.push_back(planes_[i]);
    planes_ = std::move(values);
  }
  double rowBytes = 0;
  for (const ElementType type : pass_.planes(request.channels))
    rowBytes += static_cast<double>(sizeOf(type)) * request.width;
  bandRows_ = std::clamp(static_cast<int>(bandBytes / rowBytes), 1, request.height);
  // Where a plan runs on one thread, all memory is at hand before its first execution.
  const bool oneThread = request.options.threads == 1 || availableThreads() == 1;
  if (oneThread && request.width <= widestWarmUp) warmUp();
}

void PreparedPlan::warmUp() {
  std::vector<float> zeros(static_cast<std::size_t>(request_.width), 0.0f);
  std::vector<float> row(zeros.size());
  std::vector<float> indexRow(zeros.size());
  const bk_view image = oneRow(zeros, request_.type, request_.channels, request_.height, request_.width);
  const int planes = static_cast<int>(planes_.size());
  const bk_view results = oneRow(row, request_.resultType, planes, request_.height, request_.width);
  const bk_view indices = oneRow(indexRow, ElementType::U16, planes, request_.height, request_.width);
  const ResultViews views{results, hasIndices() ? &indices : nullptr};
  ViewSource source(image, request_.type);
  const bool small = request_.width <= smallImage / request_.height;
  const Region top{0, 0, request_.width, small ? bandRows_ : 1};  // all rows, or what a band has
  if (combinesAfterwards()) return runAndCombine(source, views, top, {});
  for (const BankPass::Step& step : steps_) {
    ViewSink sink(views, request_.resultType, step.planes);
    step.plan->run(source, sink, top, {});
  }
}

std::string PreparedPlan::engineNames() const {
  std::string names;
  for (const BankPass::Step& step : steps_) {
    const std::string path = step.plan->info().path;
    const std::string name = path.empty() ? step.engine->name() : path;
    if (names.find(name) == std::string::npos) names += (names.empty() ? "" : "+") + name;
  }
  return names;
}

std::string PreparedPlan::choice() const {
  std::vector<PlanInfo> plans;
  for (const BankPass::Step& step : steps_) plans.push_back(step.plan->info());
  return toString(plans);
}

void PreparedPlan::checkViews(const bk_view& image, const bk_view& results, const bk_view* indices) const {
  const PlanRequest& r = request_;
  const int planes = static_cast<int>(planes_.size());
  const AddressRange from = checkView(image, {"the image", r.type, r.channels, r.height, r.width}, false);
  const AddressRange to =
      checkView(results, {"the view of results", r.resultType, planes, r.height, r.width}, true);
  requireApart(from, "the image", to, "the results");
  if (hasIndices() != (indices != nullptr)) {
    refuse(hasIndices() ? "argmax has indices beside its values; their view is NULL"
                        : "there is a view of indices, which argmax alone has");
  }
  if (indices == nullptr) return;
  const AddressRange places =
      checkView(*indices, {"the view of indices", ElementType::U16, planes, r.height, r.width}, true);
  requireApart(from, "the image", places, "the indices");
  requireApart(to, "the results", places, "the indices");
}

void PreparedPlan::execute(const bk_view& image, const bk_view& results, const bk_view* indices,
                           const std::stop_token& stop) const {
  checkViews(image, results, indices);
  ViewSource source(image, request_.type);
  run(source, {results, indices}, stop);
}

void PreparedPlan::run(Source& source, const ResultViews& views, const std::stop_token& stop) const {
  if (!combinesAfterwards()) {
    for (const BankPass::Step& step : steps_) {
      ViewSink sink(views, request_.resultType, step.planes);
      step.plan->run(source, sink, wholeImage(step.problem), stop);
    }
    return;
  }
  for (int y = 0; y < request_.height; y += bandRows_) {
    const int rows = std::min(bandRows_, request_.height - y);
    runAndCombine(source, views, {0, y, request_.width, rows}, stop);
  }
}

void PreparedPlan::runAndCombine(Source& source, const ResultViews& views, const Region& rows,
                                 const std::stop_token& stop) const {
  std::unique_ptr<Buffers> buffers = takeBuffers();
  for (const BankPass::Step& step : steps_) BankPass::run(step, source, rows, buffers->planes, stop);
  pass_.combine(request_.channels, rows.height, buffers->planes);
  ViewSink sink(views, request_.resultType, given_);
  for (std::size_t i = 0; i < given_.size(); ++i) {
    ConstPlane plane = buffers->planes[pass_.hidden(request_.channels) + i].plane(0);
    plane.height = rows.height;
    sink.writeRows(static_cast<int>(i), rows.y, plane);
  }
  buffers_.giveBack(std::move(buffers));
}

std::unique_ptr<PreparedPlan::Buffers> PreparedPlan::takeBuffers() const {
  std::unique_ptr<Buffers> buffers = buffers_.take();
  if (buffers != nullptr) return buffers;
  buffers = std::make_unique<Buffers>();
  for (const ElementType type : pass_.planes(request_.channels))
    buffers->planes.emplace_back(1, bandRows_, request_.width, type);
  return buffers;
}

}  // namespace bankside::library
