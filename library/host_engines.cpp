#include "library/host_engines.h"

namespace bankside::library {

const EngineList& hostEngines() {
  static const EngineList list = makeCpuEngines();
  return list;
}

}  // namespace bankside::library
