/// What a process gives up before it looks at files of strangers. Internal to core/.
#pragma once

#include <cstdint>

namespace bankside::codec {

/// From here on this process can compute, read files that it has, ask for memory and send and receive over
/// what it has. It can open no file and no connection, start no program and no thread, and run no code that
/// was not there: any other call to the system ends it. It gets `memory` bytes more than it has, writes no
/// file and leaves no core.
/// Errors  Error{Unsupported} where the system does not do so
void confine(std::int64_t memory);

}  // namespace bankside::codec
