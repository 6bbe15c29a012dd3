#pragma once

#include <string>

namespace bankside {

/// Throws Error{BadInput}.
[[noreturn]] void refuse(const std::string& sentence);

}  // namespace bankside
