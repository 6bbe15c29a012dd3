#include "kernels/absent/absent_engine.h"
#include "kernels/peers/onednn_engine.h"

namespace bankside {

std::unique_ptr<Engine> makeOneDnnEngine() {
  return std::make_unique<AbsentEngine>("onednn:convolution", "CPU",
                                        "oneDNN was not found when this program was built, or BANKSIDE_PEERS "
                                        "is off; install libdnnl-dev and build again",
                                        EngineKind{.role = EngineKind::Role::Peer});
}

}  // namespace bankside
