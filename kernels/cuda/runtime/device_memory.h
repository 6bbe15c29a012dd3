/// Whose memory an address is.
#pragma once

namespace bankside::cuda {

/// Throws Error{BadInput}, which begins with `what`, unless it is memory of the engines' device.
/// Errors  Error{Device}
void requireOnDevice(const void* memory, const char* what);

}  // namespace bankside::cuda
