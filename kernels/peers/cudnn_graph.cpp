#include "kernels/peers/cudnn_graph.h"

#include <algorithm>

#include "kernels/cuda/runtime/cuda_error.h"
#include "kernels/peers/half_taps.h"

// The handle of a graph and a plan is said to be going; the library that is there still wants it.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace bankside::cuda {
namespace {

constexpr std::int64_t workspaceLimit = std::int64_t{8} << 30;
/// Plans of a mode: PyTorch's benchmark mode times as many.
constexpr std::size_t mostProposals = 10;
constexpr std::int64_t sourceId = 1, tapsId = 2, resultId = 3;

/// Dimensions [n, c, h, w], whatever the layout.
CudnnDescriptor tensor(std::int64_t id, cudnnDataType_t type, bool channelsLast, std::int64_t n,
                       std::int64_t c, std::int64_t h, std::int64_t w) {
  CudnnDescriptor made(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  made.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, &type);
  made.set(CUDNN_ATTR_TENSOR_DIMENSIONS, {n, c, h, w});
  made.set(CUDNN_ATTR_TENSOR_STRIDES, channelsLast ? std::vector<std::int64_t>{c * h * w, 1, w * c, c}
                                                   : std::vector<std::int64_t>{c * h * w, h * w, w, 1});
  made.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, {id});
  made.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, {16});
  made.finish();
  return made;
}

CudnnDescriptor convolution(const ConvolutionProblem& p) {
  CudnnDescriptor made(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  const cudnnDataType_t sums = CUDNN_DATA_FLOAT;
  const cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
  const std::vector<std::int64_t> padding = {p.filterHeight / 2, p.filterWidth / 2};
  made.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, {2});
  made.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, &sums);
  made.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, &mode);
  made.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, padding);
  made.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, padding);
  made.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, {1, 1});
  made.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, {1, 1});
  made.finish();
  return made;
}

/// The engine's number and what its knobs are set to.
std::string nameOf(const CudnnDescriptor& engine, const CudnnDescriptor& configuration) {
  std::int64_t index = -1;
  engine.read(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, &index, 1);
  std::string name = "engine " + std::to_string(index);
  std::vector<CudnnDescriptor> choices;
  std::vector<cudnnBackendDescriptor_t> raw;
  for (int i = 0; i < CUDNN_KNOB_TYPE_COUNTS; ++i)
    raw.push_back(choices.emplace_back(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR).get());
  const std::int64_t there =
      configuration.read(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, CUDNN_TYPE_BACKEND_DESCRIPTOR, raw.data(),
                         static_cast<std::int64_t>(raw.size()));
  for (std::int64_t i = 0; i < there; ++i) {
    const CudnnDescriptor& choice = choices[static_cast<std::size_t>(i)];
    cudnnBackendKnobType_t knob{};
    std::int64_t value = 0;
    choice.read(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, &knob, 1);
    choice.read(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, &value, 1);
    name += " k" + std::to_string(knob) + "=" + std::to_string(value);
  }
  return name;
}

}  // namespace

CudnnDescriptor::CudnnDescriptor(cudnnBackendDescriptorType_t type) {
  check(cudnnLibrary().cudnnBackendCreateDescriptor(type, &descriptor_), "create a descriptor");
}

CudnnDescriptor::~CudnnDescriptor() {
  if (descriptor_ != nullptr) cudnnLibrary().cudnnBackendDestroyDescriptor(descriptor_);
}

void CudnnDescriptor::set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                          const void* values, std::int64_t count) {
  check(cudnnLibrary().cudnnBackendSetAttribute(descriptor_, name, type, count, values), "set an attribute");
}

std::int64_t CudnnDescriptor::read(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                                   void* values, std::int64_t room) const {
  std::int64_t count = 0;
  const cudnnStatus_t status =
      cudnnLibrary().cudnnBackendGetAttribute(descriptor_, name, type, room, &count, values);
  return status == CUDNN_STATUS_SUCCESS ? std::min(count, room) : -1;
}

cudnnStatus_t CudnnDescriptor::finished() { return cudnnLibrary().cudnnBackendFinalize(descriptor_); }

CudnnGraph::CudnnGraph(const ConvolutionProblem& p, const CorrelationTaps& taps, CudnnMath math,
                       bool channelsLast, int images)
    : math_(math), channelsLast_(channelsLast) {
  const CudnnLibrary& l = cudnnLibrary();
  loadTaps(p, taps);
  l.check(l.cudnnCreate(&handle_), "create");
  try {
    const cudnnDataType_t type = math == CudnnMath::Fp16 ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT;
    const CudnnDescriptor source =
        tensor(sourceId, type, channelsLast, images, p.channels, p.height, p.width);
    const CudnnDescriptor filters =
        tensor(tapsId, type, channelsLast, p.filterCount, p.channels, p.filterHeight, p.filterWidth);
    const CudnnDescriptor result =
        tensor(resultId, type, channelsLast, images, p.filterCount, p.height, p.width);
    const CudnnDescriptor how = convolution(p);
    const float none = 0.0f;
    CudnnDescriptor operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, source);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, filters);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, result);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, how);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, &alpha_);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT, &none);
    operation.finish();
    CudnnDescriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation);
    graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, &handle_);
    graph.finish();
    for (const cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_B}) propose(graph, mode);
    if (plans_.empty()) propose(graph, CUDNN_HEUR_MODE_FALLBACK);
    std::int64_t most = 0;
    for (const CudnnDescriptor& plan : plans_) {
      std::int64_t bytes = 0;
      plan.read(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, &bytes, 1);
      most = std::max(most, bytes);
    }
    workspace_.reserve(static_cast<std::size_t>(most));
  } catch (...) {
    plans_.clear();
    l.cudnnDestroy(handle_);
    throw;
  }
}

CudnnGraph::~CudnnGraph() {
  plans_.clear();
  cudnnLibrary().cudnnDestroy(handle_);
}

void CudnnGraph::loadTaps(const ConvolutionProblem& p, const CorrelationTaps& taps) {
  const auto load = [&](const auto& values) {
    const std::size_t bytes = values.size() * sizeof(values[0]);
    taps_.reserve(bytes);
    BANKSIDE_CUDA_CHECK(cudaMemcpy(taps_.data(), values.data(), bytes, cudaMemcpyHostToDevice));
  };
  if (math_ == CudnnMath::Fp16) {
    const HalfTaps half = halfTaps(p, taps.taps, channelsLast_);
    alpha_ = half.alpha;
    back_ = half.back;
    load(half.taps);
  } else {
    load(channelsLast_ ? channelsLastTaps(p, taps.taps) : taps.taps);
  }
}

bool CudnnGraph::allows(const CudnnDescriptor& engine) const {
  if (math_ != CudnnMath::Fma) return true;
  std::vector<cudnnBackendNumericalNote_t> notes(CUDNN_NUMERICAL_NOTE_TYPE_COUNT);
  const std::int64_t there = engine.read(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
                                         notes.data(), static_cast<std::int64_t>(notes.size()));
  return std::none_of(notes.begin(), notes.begin() + std::max<std::int64_t>(there, 0), [](auto note) {
    return note == CUDNN_NUMERICAL_NOTE_TENSOR_CORE || note == CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS;
  });
}

void CudnnGraph::propose(const CudnnDescriptor& graph, cudnnBackendHeurMode_t mode) {
  CudnnDescriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, &mode);
  if (heuristics.finished() != CUDNN_STATUS_SUCCESS) return;
  std::int64_t count = 0;
  if (cudnnLibrary().cudnnBackendGetAttribute(heuristics.get(), CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                              CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, &count,
                                              nullptr) != CUDNN_STATUS_SUCCESS)
    return;
  std::vector<CudnnDescriptor> configurations;
  std::vector<cudnnBackendDescriptor_t> raw;
  for (std::int64_t i = 0; i < count; ++i)
    raw.push_back(configurations.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR).get());
  const std::int64_t there =
      heuristics.read(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, raw.data(), count);
  std::size_t taken = 0;
  for (std::int64_t i = 0; i < there && taken < mostProposals; ++i) {
    const CudnnDescriptor& configuration = configurations[static_cast<std::size_t>(i)];
    const CudnnDescriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    cudnnBackendDescriptor_t into = engine.get();
    if (configuration.read(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, &into, 1) != 1 ||
        !allows(engine))
      continue;
    std::string name = nameOf(engine, configuration);
    if (std::find(names_.begin(), names_.end(), name) != names_.end()) continue;
    CudnnDescriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, &handle_);
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration);
    if (plan.finished() != CUDNN_STATUS_SUCCESS) continue;
    std::int64_t bytes = 0;
    plan.read(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, &bytes, 1);
    if (bytes > workspaceLimit) continue;
    plans_.push_back(std::move(plan));
    names_.push_back(std::move(name));
    ++taken;
  }
}

void CudnnGraph::start(std::size_t plan, void* src, void* dst, cudaStream_t stream) const {
  const CudnnLibrary& l = cudnnLibrary();
  l.check(l.cudnnSetStream(handle_, stream), "stream");
  CudnnDescriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  const std::vector<void*> pointers = {src, taps_.data(), dst};
  void* const workspace = workspace_.data();
  pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, pointers.data(), 3);
  pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, {sourceId, tapsId, resultId});
  pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, &workspace);
  pack.finish();
  l.check(l.cudnnBackendExecute(handle_, plans_[plan].get(), pack.get()), names_[plan].c_str());
}

}  // namespace bankside::cuda
