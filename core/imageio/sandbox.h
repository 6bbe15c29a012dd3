/// Images of strangers, decoded in processes that can do nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/imageio/readable_file.h"

namespace bankside {

namespace codec {
class DecoderProcess;
class PageDecoder;
struct PageLimits;
}  // namespace codec

struct SandboxSettings {
  std::vector<std::string> program;  ///< whose main calls `decodeInSandbox` with the argument after these
  std::int64_t memory = std::int64_t{1} << 30;  ///< bytes that decoding a page may take
  int seconds = 30;                             ///< of processor time for a page, beside one a million pixels
};

/// While it lives, every `ImageFile` of the program is looked at and decoded in another process: this one
/// opens the file and hands it over, and takes pixels. That process can open, start and send nothing
/// (`confine`). One that ends is one image that fails, with a sentence, and another takes its place. A page
/// that is read whole has a process for itself; the pages that come in rows of one file share one.
/// One at a time; made before and gone after the threads that read.
class Sandbox {
 public:
  /// Starts the first process.
  /// Errors  Error{Unsupported} the system cannot confine it · Error{Io} no process can be had
  explicit Sandbox(SandboxSettings settings);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  /// The one that lives, or null.
  static Sandbox* current();

  /// For imageio itself. Errors  as for readImage, and what ended the process
  std::vector<std::int64_t> pagesOf(const ReadableFile& file);
  std::unique_ptr<codec::PageDecoder> openPage(const std::shared_ptr<const ReadableFile>& file,
                                               std::int64_t offset, const codec::PageLimits& limits);

 private:
  using Process = std::shared_ptr<codec::DecoderProcess>;
  struct Idle;
  std::unique_ptr<codec::DecoderProcess> start() const;
  /// One that nobody else has; it comes back when it is let go. `file`: what for.
  Process take(const ReadableFile& file);
  /// One that reads rows of the file already, else as above.
  Process takeToStream(const ReadableFile& file);

  SandboxSettings settings_;
  std::shared_ptr<Idle> idle_;
  std::mutex mutex_;
  std::map<const ReadableFile*, std::weak_ptr<codec::DecoderProcess>> inRows_;
};

}  // namespace bankside
