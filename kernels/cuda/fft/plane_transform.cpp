// cuFFT's few declarations stand here: its headers are not needed.
#include "kernels/cuda/fft/plane_transform.h"

#include "kernels/cuda/runtime/shared_library.h"

namespace bankside::cuda {
namespace {

constexpr int success = 0;
constexpr int allocationFailed = 2;
constexpr int realToComplex = 0x2a;
constexpr int complexToReal = 0x2c;

struct CufftLibrary {
  SharedLibrary file{"cuFFT", {"libcufft.so.12", "libcufft.so.11"}};
  using GetVersion = int (*)(int* version);
  using PlanMany = int (*)(int* plan, int rank, int* sides, int* inEmbed, int inStride, int inDistance,
                           int* outEmbed, int outStride, int outDistance, int type, int batch);
  using SetStream = int (*)(int plan, cudaStream_t stream);
  using Exec = int (*)(int plan, void* src, void* dst);
  using Destroy = int (*)(int plan);
  GetVersion getVersion = file.find<GetVersion>("cufftGetVersion");
  PlanMany planMany = file.find<PlanMany>("cufftPlanMany");
  SetStream setStream = file.find<SetStream>("cufftSetStream");
  Exec forward = file.find<Exec>("cufftExecR2C");
  Exec inverse = file.find<Exec>("cufftExecC2R");
  Destroy destroy = file.find<Destroy>("cufftDestroy");
};

const CufftLibrary& library() {
  static const CufftLibrary one;
  return one;
}

void check(int result, const char* what) {
  if (result == success) return;
  const std::string sentence = std::string("cuFFT: ") + what + ": result " + std::to_string(result);
  throw Error(result == allocationFailed ? ErrorCode::Limit : ErrorCode::Device, sentence);
}

}  // namespace

Support transformsAvailable() { return library().file.available(); }

std::string transformLibrary() {
  if (const Support there = transformsAvailable(); !there) return there.reason;
  int version = 0;
  library().getVersion(&version);
  return "cuFFT " + std::to_string(version);
}

PlaneTransform::PlaneTransform(Direction direction, int height, int width, int batch)
    : direction_(direction) {
  if (const Support there = transformsAvailable(); !there) throw Error(ErrorCode::Unsupported, there.reason);
  int sides[2] = {height, width};
  const int type = direction == Direction::Forward ? realToComplex : complexToReal;
  check(library().planMany(&plan_, 2, sides, nullptr, 1, 0, nullptr, 1, 0, type, batch), "plan");
}

PlaneTransform::~PlaneTransform() { library().destroy(plan_); }

void PlaneTransform::start(void* src, void* dst, cudaStream_t stream) const {
  check(library().setStream(plan_, stream), "stream");
  if (direction_ == Direction::Forward) {
    check(library().forward(plan_, src, dst), "forward");
  } else {
    check(library().inverse(plan_, src, dst), "inverse");
  }
}

}  // namespace bankside::cuda
