#include "library/status.h"

#include <cstring>
#include <iterator>
#include <new>
#include <string_view>

#include "core/engine.h"
#include "core/printable.h"

namespace bankside::library {
namespace {

/// Fixed, so that the sentence about exhausted memory needs none.
thread_local char sentenceOfThread[4096] = "";

/// Of a sentence with bytes of a caller's that are no UTF-8 all beyond ASCII is written as "\xff".
void keepAsAscii(std::string_view sentence) noexcept {
  constexpr const char* digits = "0123456789abcdef";
  char* to = sentenceOfThread;
  for (const char letter : sentence) {
    if (std::end(sentenceOfThread) - to < 5) break;  // nothing is allocated here: memory may have ended
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x80) {
      *to++ = letter;
      continue;
    }
    for (const char each : {'\\', 'x', digits[byte >> 4], digits[byte & 15]}) *to++ = each;
  }
  *to = '\0';
}

void keep(const char* sentence) noexcept {
  if (!isUtf8(sentence)) return keepAsAscii(sentence);
  constexpr std::size_t most = sizeof sentenceOfThread - 1;
  std::size_t length = std::strlen(sentence);
  if (length > most) {
    length = most;
    while (length > 0 && (sentence[length] & 0xC0) == 0x80) --length;  // whole UTF-8 letters
  }
  std::memcpy(sentenceOfThread, sentence, length);
  sentenceOfThread[length] = '\0';
}

bk_status statusOf(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::BadInput: return BK_BAD_INPUT;
    case ErrorCode::Unsupported: return BK_UNSUPPORTED;
    case ErrorCode::Device: return BK_DEVICE;
    case ErrorCode::Io: return BK_IO;
    case ErrorCode::Limit: return BK_LIMIT;
  }
  return BK_INTERNAL;
}

}  // namespace

bk_status keepError() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    keep(error.what());
    return statusOf(error.code());
  } catch (const Cancelled&) {
    keep("the execution was stopped, its results are unfinished");
    return BK_CANCELLED;
  } catch (const std::bad_alloc&) {
    keep("memory is exhausted");
    return BK_NO_MEMORY;
  } catch (const std::exception& error) {
    keep(error.what());
    return BK_INTERNAL;
  } catch (...) {
    keep("something was thrown that is no exception of ours");
    return BK_INTERNAL;
  }
}

const char* lastError() noexcept { return sentenceOfThread; }

void refuseNull(const char* what) { refuse(std::string(what) + " is NULL"); }

}  // namespace bankside::library
