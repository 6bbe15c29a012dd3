#include "kernels/absent/absent_engine.h"
#include "kernels/peers/gpu_peers.h"

namespace bankside {
namespace {

std::unique_ptr<Engine> absent(const char* name) {
  return std::make_unique<AbsentEngine>(
      name, "NVIDIA GPU",
      "this build has no peers of the GPU (nvcc or cudnn.h was not found, or BANKSIDE_PEERS is off)",
      EngineKind{.role = EngineKind::Role::Peer});
}

}  // namespace

std::unique_ptr<Engine> makeCudnnEngine(CudnnInterface interface, CudnnMath math) {
  const bool graph = interface == CudnnInterface::Graph;
  switch (math) {
    case CudnnMath::Fma: return absent(graph ? "cudnn:graph-fma" : "cudnn:fma");
    case CudnnMath::Tf32: return absent(graph ? "cudnn:graph-tf32" : "cudnn:tf32");
    case CudnnMath::Fp16: break;
  }
  return absent(graph ? "cudnn:graph-fp16" : "cudnn:fp16");
}
std::unique_ptr<Engine> makeIm2colEngine() { return absent("cublas:im2col"); }
std::unique_ptr<Engine> makeNppEngine() { return absent("npp:filter-border"); }
std::unique_ptr<Engine> makeCufftEngine() { return absent("cufft:bank"); }

}  // namespace bankside
