/// The process that decodes for a `Sandbox`.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace bankside {

class ReadableFile;

namespace codec {
class PageDecoder;
struct PageLimits;

/// Who decodes.
struct Formats {
  std::vector<std::int64_t> (*pagesOf)(const ReadableFile& file);
  std::unique_ptr<PageDecoder> (*openPage)(std::shared_ptr<const ReadableFile> file, std::int64_t offset,
                                           const PageLimits& limits);
};
}  // namespace codec

/// The first argument of a program that is to do nothing but `decodeInSandbox`, with the second.
inline constexpr const char* sandboxedDecoderWord = "sandboxed-decoder";

/// Gives up every right, then answers over the socket that is descriptor 0 until the other side is gone.
/// `memory`: in bytes, that decoding may take. Returns an exit code. To be called before any thread is
/// started.
int decodeInSandbox(const char* memory);
int decodeInSandbox(const char* memory, const codec::Formats& formats);

}  // namespace bankside
