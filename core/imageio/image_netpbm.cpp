/// PBM, PGM and PPM, plain and raw (P1 to P6), 8 and 16 bit.
/// Source  the netpbm manual pages pbm(5), pgm(5), ppm(5). Deviation: the last number of a plain file must be
///         followed by white space, because "12" at the end of a file may have been "123".
#include <algorithm>
#include <cctype>
#include <cstring>
#include <optional>

#include "core/error.h"
#include "core/imageio/forward_reader.h"
#include "core/imageio/image_raster.h"

namespace bankside::codec {
namespace {

struct NetpbmHeader {
  int kind = 5;  // the digit after P
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::int64_t maximum = 1;
  std::int64_t end = 0;  // where the pixels start

  bool plain() const { return kind <= 3; }
  bool bitmap() const { return kind == 1 || kind == 4; }
  int channels() const { return kind == 3 || kind == 6 ? 3 : 1; }
  ElementType type() const { return maximum > 255 ? ElementType::U16 : ElementType::U8; }
  std::int64_t rowBytes() const {
    return kind == 4 ? (width + 7) / 8 : width * channels() * static_cast<std::int64_t>(sizeOf(type()));
  }
  /// Of a raw file; more than any file has where the true number would overflow.
  std::int64_t rasterBytes() const {
    constexpr std::int64_t most = INT64_MAX / 4;
    return height > most / std::max<std::int64_t>(1, rowBytes()) ? most : height * rowBytes();
  }
};

bool isSpace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Skips white space and comments, which run from # to the end of the line.
void skipSpace(ByteReader& in) {
  for (int c = in.peek(); isSpace(c) || c == '#'; c = in.peek()) {
    if (in.get() == '#') {
      for (c = in.peek(); c != -1 && c != '\n' && c != '\r'; c = in.peek()) in.get();
    }
  }
}

/// A header is short: no more of the file is read for it.
constexpr std::size_t headerBytes = 512;

/// To the start of the next line, or a thousand bytes on.
void skipLine(ByteReader& in) {
  for (int left = 1000; left > 0; --left) {
    const int c = in.get();
    if (c == -1 || c == '\n') return;
  }
}

/// The number that comes next, or -1.
std::int64_t readNumber(ByteReader& in, std::int64_t largest) {
  skipSpace(in);
  std::int64_t value = -1;
  for (int c = in.peek(); c >= '0' && c <= '9'; c = in.peek()) {
    value = std::max<std::int64_t>(value, 0) * 10 + (c - '0');
    if (value > largest) return -1;
    in.get();
  }
  return value;
}

NetpbmHeader readHeader(const ReadableFile& file, std::int64_t offset) {
  ByteReader in(file, offset, headerBytes);
  in.get();  // P
  NetpbmHeader header{.kind = in.get() - '0'};
  const auto number = [&](const char* what) {
    const std::int64_t value = readNumber(in, INT32_MAX);
    const int next = in.peek();
    if (value < 0 || !(isSpace(next) || next == '#')) {
      file.damaged(std::string("has a damaged header: no usable ") + what);
    }
    return value;
  };
  header.width = number("width");
  header.height = number("height");
  if (!header.bitmap()) header.maximum = number("maximum value");
  if (header.maximum < 1 || header.maximum > 65535) {
    file.damaged("has a maximum value of " + std::to_string(header.maximum) + ", outside 1 to 65535");
  }
  if (in.peek() == '#') {  // a comment right after the number: the end of its line ends the header
    skipLine(in);
    header.end = in.position();
    return header;
  }
  const bool carriageReturn = in.get() == '\r';
  header.end = in.position();
  if (header.plain()) return header;
  // Two habits break the rule of one white space, and the file's size gives them away: Windows' line ends,
  // and a comment between the number and the end of the line.
  std::int64_t otherEnd = header.end;
  if (carriageReturn && in.peek() == '\n') {
    ++otherEnd;
  } else if (in.peek() == '#') {
    skipLine(in);
    otherEnd = in.position();
  }
  if (otherEnd + header.rasterBytes() == file.size()) header.end = otherEnd;
  return header;
}

std::string formatName(const NetpbmHeader& header) {
  return header.bitmap() ? "PBM" : header.channels() == 3 ? "PPM" : "PGM";
}

/// What cannot be taken as it lies in the file: plain text and packed bits.
class NetpbmReader final : public ForwardReader {
 public:
  NetpbmReader(FilePointer file, const NetpbmHeader& header, ImageInfo info, const PageLimits& limits)
      : ForwardReader(std::move(file), limits), header_(header) {
    info_ = std::move(info);
    in_.emplace(*file_, header_.end);
  }

 protected:
  void rewind() override { in_.emplace(*file_, header_.end); }

  void decodeRow(std::byte* const* rows) override {
    if (header_.kind == 4) {
      readPackedBits(rows[0]);
    } else if (header_.kind == 1) {
      readPlainBits(rows[0]);
    } else if (info_.type == ElementType::U8) {
      readNumbers<std::uint8_t>(rows);
    } else {
      readNumbers<std::uint16_t>(rows);
    }
  }

 private:
  [[noreturn]] void cutShort() const { file_->damaged("is cut short: the file ends within the pixels"); }

  void readPackedBits(std::byte* row) {
    packed_.resize(static_cast<std::size_t>((info_.width + 7) / 8));
    if (in_->read(packed_.data(), packed_.size()) != packed_.size()) cutShort();
    for (int x = 0; x < info_.width; ++x) {
      const bool black = (packed_[static_cast<std::size_t>(x) / 8] >> (7 - x % 8)) & 1;
      row[x] = black ? std::byte{0} : std::byte{255};
    }
  }

  void readPlainBits(std::byte* row) {
    for (int x = 0; x < info_.width; ++x) {
      skipSpace(*in_);
      const int c = in_->get();
      if (c == -1) cutShort();
      if (c != '0' && c != '1') file_->damaged("is damaged: a pixel is neither 0 nor 1");
      row[x] = c == '1' ? std::byte{0} : std::byte{255};
    }
  }

  template <class T>
  void readNumbers(std::byte* const* rows) {
    for (int x = 0; x < info_.width; ++x) {
      for (int c = 0; c < info_.channels; ++c) {
        const std::int64_t value = readNumber(*in_, header_.maximum);
        if (in_->peek() == -1) cutShort();
        if (value < 0 || !(isSpace(in_->peek()) || in_->peek() == '#')) {
          file_->damaged("is damaged: a pixel is not a number from 0 to " + std::to_string(header_.maximum));
        }
        reinterpret_cast<T*>(rows[c])[x] = static_cast<T>(value);
      }
    }
  }

  NetpbmHeader header_;
  std::optional<ByteReader> in_;
  std::vector<unsigned char> packed_;
};

/// Whether only white space and zeros are left of the file, which end many.
bool endsAt(const ReadableFile& file, std::int64_t offset) {
  char bytes[4096];
  while (const std::size_t count = file.readSome(offset, bytes, sizeof bytes)) {
    if (std::any_of(bytes, bytes + count, [](char c) { return c != 0 && !isSpace(c); })) return false;
    offset += static_cast<std::int64_t>(count);
  }
  return true;
}

bool beginsAt(const ReadableFile& file, std::int64_t offset) {
  char start[3] = {};
  return file.readSome(offset, start, 3) == 3 && start[0] == 'P' && start[1] >= '4' && start[1] <= '6' &&
         isSpace(start[2]);
}

/// Raw files may hold several pictures one after another, each with its header. One whose header is damaged
/// is a page that fails.
std::vector<std::int64_t> netpbmPages(const ReadableFile& file) {
  std::vector<std::int64_t> offsets;
  std::int64_t next = 0;
  do {
    offsets.push_back(next);
    try {
      const NetpbmHeader header = readHeader(file, next);
      if (header.plain() || header.rasterBytes() == 0) return offsets;
      next = header.end + header.rasterBytes();
    } catch (const Error&) {
      if (offsets.size() == 1) throw;
      return offsets;
    }
  } while (beginsAt(file, next));
  return offsets;
}

DecoderPointer openNetpbm(FilePointer file, std::int64_t offset, const PageLimits& limits) {
  const NetpbmHeader header = readHeader(*file, offset);
  requireWithinLimits(*file, header.channels(), header.height, header.width, header.type(), limits);
  ImageInfo info{.format = formatName(header),
                 .channels = header.channels(),
                 .height = static_cast<int>(header.height),
                 .width = static_cast<int>(header.width),
                 .type = header.type(),
                 .channelNames = colourNames(header.channels(), false)};
  if (header.bitmap()) info.notes.push_back("1-bit pixels expanded to 0..255");
  const std::int64_t end = header.end + header.rasterBytes();
  if (!header.plain() && !beginsAt(*file, end) && !endsAt(*file, end))
    info.notes.push_back("what follows this picture is none and is not read");
  if (header.kind == 5 || header.kind == 6) {
    RasterLayout layout = interleavedLayout(header.end, info.channels, info.width, sizeOf(info.type));
    layout.swapped = isLittleEndianMachine();  // 16-bit pixels have their high byte first
    return openRaster(std::move(file), std::move(info), layout, limits);
  }
  // A plain pixel takes a digit and, but for bitmaps, a separator.
  file->requireBytes(header.end, header.kind == 4   ? header.rasterBytes()
                                 : header.kind == 1 ? header.width * header.height
                                                    : 2 * header.width * header.height * header.channels());
  return std::make_unique<NetpbmReader>(std::move(file), header, std::move(info), limits);
}

}  // namespace

const Format netpbmFormat{.name = "PGM, PPM, PBM",
                          .endings = {"pgm", "ppm", "pbm", "pnm"},
                          .signatures = {"P1", "P2", "P3", "P4", "P5", "P6"},
                          .open = openNetpbm,
                          .pages = netpbmPages};

}  // namespace bankside::codec
