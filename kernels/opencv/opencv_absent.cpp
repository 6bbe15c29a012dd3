#include "kernels/absent/absent_engine.h"
#include "kernels/opencv/opencv_engine.h"

namespace bankside {
namespace {

std::unique_ptr<Engine> absent(const char* name) {
  return std::make_unique<AbsentEngine>(name, "CPU",
                                        "OpenCV was not found when this program was built; install "
                                        "libopencv-core-dev and libopencv-imgproc-dev and build again",
                                        EngineKind{.role = EngineKind::Role::Baseline});
}

}  // namespace

std::unique_ptr<Engine> makeOpenCvEngine() { return absent("opencv:filter2D"); }
std::unique_ptr<Engine> makeSepFilter2dEngine() { return absent("opencv:sepFilter2D"); }

}  // namespace bankside
