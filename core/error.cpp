#include "core/error.h"

#include "core/refuse.h"

namespace bankside {

const char* toString(ErrorCode code) {
  switch (code) {
    case ErrorCode::BadInput: return "bad input";
    case ErrorCode::Unsupported: return "unsupported";
    case ErrorCode::Device: return "device";
    case ErrorCode::Io: return "i/o";
    case ErrorCode::Limit: return "limit";
  }
  return "unknown";
}

void refuse(const std::string& sentence) { throw Error(ErrorCode::BadInput, sentence); }

}  // namespace bankside
