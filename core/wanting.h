/// What the machine has no more of for the moment: memory, open files. The same command may find it later.
#pragma once

#include <cerrno>
#include <string>

#include "core/error.h"

namespace bankside {

class Wanting : public Error {
 public:
  explicit Wanting(const std::string& sentence) : Error(ErrorCode::Limit, sentence) {}
};

/// Whether the system's error number says so.
inline bool isWanting(int errorNumber) {
  return errorNumber == EMFILE || errorNumber == ENFILE || errorNumber == ENOMEM;
}

}  // namespace bankside
