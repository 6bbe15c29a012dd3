/// A decoder for a sandbox whose files say what it is to try: "MADE-UP open" opens a file.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/imageio/image_codec.h"
#include "core/imageio/sandboxed_decoder.h"

namespace bankside {
namespace {

constexpr std::string_view mark = "MADE-UP ";

std::string textOf(const ReadableFile& file) {
  std::string text(32, '\0');
  text.resize(file.readSome(0, text.data(), text.size()));
  return text;
}

class LyingReader final : public codec::PageDecoder {
 public:
  explicit LyingReader(std::string_view about) {
    info_.format = "MADE-UP";
    if (about == "height") info_.height = -5;
    if (about == "names") info_.channelNames = {"one", "two"};
    if (about == "type") info_.type = static_cast<ElementType>(99);
    if (about == "size") info_.width = 2'000'000'000;
  }
  Image readAll() override { return Image(1, 1, 1, ElementType::U8); }
};

void attempt(const std::string& what) {
  if (what == "open") (void)!open("/dev/null", O_RDONLY);
  if (what == "socket") (void)!socket(AF_INET, SOCK_STREAM, 0);
  if (what == "fork") (void)!fork();
  if (what == "exec") (void)!execl("/bin/true", "true", nullptr);
  if (what == "kill") (void)!kill(getppid(), 0);
  if (what == "unlink") (void)!unlink("/nowhere/at/all");
  if (what == "code") (void)!mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  volatile std::uintptr_t nowhere = 8;
  if (what == "crash") *reinterpret_cast<volatile char*>(nowhere) = 1;
  if (what == "memory") std::memset(std::vector<char>(std::size_t{1} << 30).data(), 1, 1);
  volatile bool endless = what == "time";
  while (endless) {
  }
}

std::vector<std::int64_t> pagesOf(const ReadableFile& file) {
  return textOf(file).starts_with(mark) ? std::vector<std::int64_t>{0} : codec::pagesOf(file);
}

codec::DecoderPointer openPage(codec::FilePointer file, std::int64_t offset,
                               const codec::PageLimits& limits) {
  const std::string text = textOf(*file);
  if (!text.starts_with(mark)) return codec::openPage(std::move(file), offset, limits);
  const std::string what = text.substr(mark.size());
  if (what.starts_with("lie ")) return std::make_unique<LyingReader>(std::string_view(what).substr(4));
  attempt(what);
  return std::make_unique<LyingReader>("nothing");
}

}  // namespace
}  // namespace bankside

int main(int argc, char** argv) {
  if (argc != 3 || std::strcmp(argv[1], bankside::sandboxedDecoderWord) != 0) return 2;
  return bankside::decodeInSandbox(argv[2], {bankside::pagesOf, bankside::openPage});
}
