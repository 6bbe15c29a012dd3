#include "core/bench/bank_width.h"

namespace bankside {

const char* matchWord(int unitBytes, int bankBytes) {
  return unitBytes < bankBytes ? "unmatched" : unitBytes == bankBytes ? "matched" : "wider";
}

}  // namespace bankside
