/// What a program and a process that decodes for it say to each other: messages of one size over a socket.
/// Whatever has another length lies in memory that both map. Internal to core/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "core/imageio/image_codec.h"

namespace bankside::codec {

/// Of the shared memory: a row of one channel always fits.
inline constexpr std::size_t sharedBytes = std::size_t{4} << 20;

/// A descriptor goes with `Begin` (the shared memory), `Pages` and `Open` (the file).
struct DecoderRequest {
  enum Kind : std::int32_t { Begin, Pages, Open, Rows, Close };
  Kind kind = Begin;
  std::int32_t reader = 0;  ///< `Open`: how it is called from now on
  std::int64_t fileBytes = 0;
  std::int64_t offset = 0;
  PageLimits limits = {};
  std::int32_t firstChannel = 0;
  std::int32_t channels = 0;
  std::int32_t firstRow = 0;
  std::int32_t rows = 0;
};

struct DecoderReply {
  enum Kind : std::int32_t { Done, Failed, NoMemory };
  Kind kind = Done;
  std::int32_t error = 0;   ///< `Failed`: the ErrorCode, its sentence is shared
  std::int64_t shared = 0;  ///< bytes of the shared memory that are the answer
  std::int32_t streams = 0;
  std::int32_t channels = 0;
  std::int32_t height = 0;
  std::int32_t width = 0;
  std::int32_t type = 0;
  std::int32_t names =
      0;  ///< of channels; shared are the format, these and the notes, each with a zero behind
};

static_assert(std::is_trivially_copyable_v<DecoderRequest> && std::is_trivially_copyable_v<DecoderReply>);

/// One message. False where the other side is gone.
bool sendMessage(int socket, const void* message, std::size_t bytes, int descriptor = -1);
/// `descriptor`: that came with it, or -1; its owner is the caller.
bool receiveMessage(int socket, void* message, std::size_t bytes, int& descriptor);

/// The memory behind a descriptor, in this process. Throws Error{Io}
std::byte* mapShared(int descriptor);

}  // namespace bankside::codec
