/// What this build was compiled for, and a kernel of it to ask a device about.
#pragma once

#include <string>

namespace bankside::cuda {

/// A kernel that every architecture of this build has.
const void* probeKernel();

/// "90", "75, 80, 86, 89, 90, 100, 120".
std::string compiledArchitectures();

}  // namespace bankside::cuda
