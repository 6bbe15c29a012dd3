/// PFM: float pixels of one or three channels, bottom row first, in either byte order. u8, u16 and f16 are
/// widened exactly.
/// Source  Debevec, "PFM Portable FloatMap Image Format". The size of the scale, meant as a unit, changes no
///         pixel; its sign gives the byte order.
#include <cctype>
#include <cmath>

#include "core/imageio/image_raster.h"
#include "core/text.h"

namespace bankside::codec {
namespace {

constexpr std::size_t longestWord = 64;

std::string readWord(const ReadableFile& file, ByteReader& in) {
  while (in.peek() != -1 && std::isspace(in.peek())) in.get();
  std::string word;
  while (in.peek() != -1 && !std::isspace(in.peek()) && word.size() < longestWord) {
    word.push_back(static_cast<char>(in.get()));
  }
  if (in.peek() == -1 || !std::isspace(in.peek())) file.damaged("has a damaged PFM header");
  return word;
}

class PfmWriter final : public PageEncoder {
 public:
  PfmWriter(AtomicFile& file, const PageShape& shape) : file_(file), shape_(shape) {
    file_.write(std::string(shape.channels == 3 ? "PF\n" : "Pf\n") + std::to_string(shape.width) + " " +
                std::to_string(shape.height) + "\n" + (isLittleEndianMachine() ? "-1.0\n" : "1.0\n"));
    start_ = file_.size();
    pixels_.resize(static_cast<std::size_t>(shape.width) * static_cast<std::size_t>(shape.channels));
  }

  void putRows(std::span<const ConstPlane> channels) override {
    const std::size_t rowBytes = pixels_.size() * sizeof(float);
    for (int y = 0; y < channels[0].height; ++y, ++nextRow_) {
      visit(shape_.type, [&](auto element) {
        using T = decltype(element);
        for (std::size_t c = 0; c < channels.size(); ++c) {
          const T* row = channels[c].as<T>().row(y);
          for (int x = 0; x < shape_.width; ++x) {
            pixels_[static_cast<std::size_t>(x) * channels.size() + c] = asFloat(row[x]);
          }
        }
      });
      file_.writeAt(start_ + static_cast<std::int64_t>(rowBytes) * (shape_.height - 1 - nextRow_),
                    pixels_.data(), rowBytes);
    }
  }

 private:
  AtomicFile& file_;
  PageShape shape_;
  std::int64_t start_ = 0;
  int nextRow_ = 0;
  std::vector<float> pixels_;
};

DecoderPointer openPfm(FilePointer file, std::int64_t, const PageLimits& limits) {
  ByteReader in(*file);
  const std::string kind = readWord(*file, in);
  if (kind != "Pf" && kind != "PF") file->damaged("has a damaged PFM header");
  const auto width = parseInteger(readWord(*file, in));
  const auto height = parseInteger(readWord(*file, in));
  const auto scale = parseNumber(readWord(*file, in));
  if (!width || !height || !scale || *scale == 0 || !std::isfinite(*scale)) {
    file->damaged("has a damaged PFM header: width, height or scale is no usable number");
  }
  const int channels = kind == "PF" ? 3 : 1;
  requireWithinLimits(*file, channels, *height, *width, ElementType::F32, limits);
  ImageInfo info{.format = "PFM",
                 .channels = channels,
                 .height = static_cast<int>(*height),
                 .width = static_cast<int>(*width),
                 .type = ElementType::F32,
                 .channelNames = colourNames(channels, false)};
  const std::int64_t bytes = std::int64_t{4} * channels * *width * *height;
  // One white space ends the header; Windows' text mode makes it two, and the file one byte longer.
  const bool carriageReturn = in.get() == '\r';
  std::int64_t start = in.position();
  if (carriageReturn && in.peek() == '\n' && start + bytes == file->size() - 1) ++start;

  RasterLayout layout = interleavedLayout(start, channels, info.width, sizeof(float));
  layout.offset += layout.rowStep * (info.height - 1);
  layout.rowStep = -layout.rowStep;
  layout.swapped = (*scale < 0) != isLittleEndianMachine();
  return openRaster(std::move(file), std::move(info), layout, limits);
}

EncoderPointer createPfm(AtomicFile& file, const PageShape& shape) {
  return std::make_unique<PfmWriter>(file, shape);
}

std::string pfmRefusal(const PageShape& shape) {
  if (shape.channels == 1 || shape.channels == 3) return "";
  return "PFM holds 1 or 3 channels, not " + std::to_string(shape.channels) +
         " channels; use tiff or npy, or one file a channel";
}

}  // namespace

const Format pfmFormat{.name = "PFM",
                       .endings = {"pfm"},
                       .signatures = {"Pf", "PF"},
                       .open = openPfm,
                       .create = createPfm,
                       .refusal = pfmRefusal};

}  // namespace bankside::codec
