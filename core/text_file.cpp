#include "core/text_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "core/error.h"
#include "core/stopping.h"

namespace bankside {
namespace {

constexpr std::size_t partBytes = std::size_t{64} << 10;

/// How long a look at a pipe may take before the next look at whether the program is to end.
constexpr int pollMilliseconds = 100;

struct Descriptor {
  int number = -1;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace

std::string readTextFile(const std::filesystem::path& file, std::size_t largest) {
  const auto fail = [&] {
    throw Error(ErrorCode::Io, file.string() + ": cannot be read: " + std::generic_category().message(errno));
  };
  // Opening a pipe in the ordinary way waits for its writer, and no request to end comes through.
  const Descriptor in{::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (in.number < 0) fail();
  struct stat status {};
  if (::fstat(in.number, &status) != 0) fail();
  std::string text;
  while (text.size() <= largest) {
    pollfd ready{in.number, POLLIN, 0};
    while (!S_ISREG(status.st_mode) && ::poll(&ready, 1, pollMilliseconds) == 0) throwIfProgramStops();
    const std::size_t before = text.size();
    text.resize(std::min(before + partBytes, largest + 1));
    const ssize_t got = ::read(in.number, text.data() + before, text.size() - before);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return text;
    if (got < 0 && errno != EINTR && errno != EAGAIN) fail();
  }
  throw Error(ErrorCode::BadInput, file.string() + ": larger than the " + std::to_string(largest >> 20) +
                                       " MiB that such a file may have");
}

}  // namespace bankside
