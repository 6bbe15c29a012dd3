/// A process that decodes, as the program sees it that started it. Internal to core/.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/imageio/decoder_message.h"

namespace bankside::codec {

/// Threads take turns.
class DecoderProcess {
 public:
  /// `words`: the program and its arguments. `seconds`: of processor time that a request may take, and one
  /// more for every million pixels of its page.
  /// Errors  Error{Io} no process can be had · Error{Unsupported} the system does not confine it
  DecoderProcess(const std::vector<std::string>& words, int seconds);
  ~DecoderProcess();
  DecoderProcess(const DecoderProcess&) = delete;
  DecoderProcess& operator=(const DecoderProcess&) = delete;

  /// `descriptor`: goes with the request, or -1. `take` is given what is shared, until it returns: the
  /// process may write there all the time. Errors  as for readImage, with the file's name in front; where the
  /// process ended, one that says why · bad_alloc · Cancelled if the program is to end, and the process with
  /// it
  DecoderReply ask(const DecoderRequest& request, int descriptor, const ReadableFile& file, double pixels,
                   const std::function<void(const DecoderReply&, std::span<const std::byte>)>& take = {});

  /// Whether it can be asked.
  bool alive() const { return process_ > 0; }

 private:
  DecoderReply begin(int memory);
  DecoderReply exchange(const DecoderRequest& request, int descriptor);
  void allowTime(double pixels) const;
  /// Throws why it ended.
  [[noreturn]] void failEnded();
  int end();

  std::mutex mutex_;
  int seconds_;
  pid_t process_ = -1;
  int socket_ = -1;
  std::byte* shared_ = nullptr;
};

}  // namespace bankside::codec
