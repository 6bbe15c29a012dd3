/// MetaImage in one file (.mha), as ITK writes it: u8, u16 and f32, any number of channels, pixels as they
/// are. The slices of a volume are pages. Source  ITK, "MetaIO: documentation of the header". Deviations: a
/// header ends within 64 KiB; fields that
///         change no pixel (Offset, TransformMatrix, Comment ...) are passed over.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/imageio/image_raster.h"
#include "core/text.h"

namespace bankside::codec {
namespace {

constexpr std::size_t longestMhaHeader = std::size_t{64} << 10;
constexpr std::int64_t mostSlices = 1'000'000;

struct TypeName {
  std::string_view word;
  ElementType type;
};
constexpr TypeName typeNames[] = {
    {"MET_UCHAR", ElementType::U8}, {"MET_USHORT", ElementType::U16}, {"MET_FLOAT", ElementType::F32}};

struct MhaHeader {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::int64_t slices = 1;
  std::int64_t channels = 1;
  ElementType type = ElementType::U8;
  bool highByteFirst = false;
  std::string spacing;  // as it stands; empty where it is one pixel or not said
  std::int64_t end = 0;

  std::int64_t rowBytes() const { return width * channels * static_cast<std::int64_t>(sizeOf(type)); }
};

/// "Name = value" a line, up to the one that says where the pixels are.
class Fields {
 public:
  explicit Fields(const ReadableFile& file) : file_(file) {
    ByteReader in(file);
    while (!has("ElementDataFile")) {
      const std::string line = nextLine(in);
      const std::size_t equals = line.find('=');
      if (equals == std::string::npos) damaged("a line has no \"=\"");
      values_[trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
    }
    end_ = in.position();
  }

  bool has(const char* name) const { return values_.contains(name); }
  std::string text(const char* name) const { return has(name) ? values_.at(name) : std::string(); }
  bool isTrue(const char* name) const { return text(name) == "True" || text(name) == "true"; }
  std::int64_t end() const { return end_; }

  std::vector<double> numbers(const char* name) const {
    std::vector<double> list;
    for (const std::string& word : split(text(name), ' ')) {
      if (word.empty()) continue;
      const auto number = parseNumber(word);
      if (!number) damaged(std::string(name) + " is no list of numbers");
      list.push_back(*number);
    }
    return list;
  }

  /// A whole number from 1 on, small enough that the bytes of a row can be counted.
  std::int64_t count(const char* name, double number) const {
    constexpr double most = 0x1p24;
    if (!(number >= 1 && number <= most) || number != std::floor(number))
      damaged(std::string(name) + " is no usable number");
    return static_cast<std::int64_t>(number);
  }

  [[noreturn]] void damaged(const std::string& what) const {
    file_.damaged("has a damaged MetaImage header: " + what);
  }
  [[noreturn]] void refuse(const std::string& what) const { file_.fail(ErrorCode::Unsupported, what); }

 private:
  std::string nextLine(ByteReader& in) const {
    std::string line;
    for (int c = in.get(); c != '\n'; c = in.get()) {
      if (c == -1 || in.position() > static_cast<std::int64_t>(longestMhaHeader))
        damaged("it does not say where the pixels are");
      line.push_back(static_cast<char>(c));
    }
    return line;
  }

  const ReadableFile& file_;
  std::map<std::string, std::string, std::less<>> values_;
  std::int64_t end_ = 0;
};

/// Whatever changes where pixels are, or what they are, is read or refused.
MhaHeader readHeader(const ReadableFile& file) {
  const Fields fields(file);
  if (fields.has("ObjectType") && fields.text("ObjectType") != "Image") {
    fields.refuse("is a MetaImage file of no image (" + fields.text("ObjectType").substr(0, 20) + ")");
  }
  if (const std::string place = fields.text("ElementDataFile"); place != "LOCAL") {
    fields.refuse("is a MetaImage whose pixels are in another file (" + place.substr(0, 80) +
                  "); save it as one .mha");
  }
  if (fields.isTrue("CompressedData"))
    fields.refuse("is a compressed MetaImage; save it without compression");
  if (fields.has("BinaryData") && !fields.isTrue("BinaryData"))
    fields.refuse("is a MetaImage of pixels as text; save it as binary");
  if (fields.has("HeaderSize") && fields.text("HeaderSize") != "0")
    fields.refuse("is a MetaImage with a second header before its pixels");

  MhaHeader header;
  const std::vector<double> sizes = fields.numbers("DimSize");
  if (sizes.empty() || fields.numbers("NDims") != std::vector<double>{static_cast<double>(sizes.size())})
    fields.damaged("NDims and DimSize do not agree");
  if (sizes.size() != 2 && sizes.size() != 3) {
    fields.refuse("is a MetaImage of " + std::to_string(sizes.size()) +
                  " dimensions; read are 2, and 3 as pages");
  }
  header.width = fields.count("DimSize", sizes[0]);
  header.height = fields.count("DimSize", sizes[1]);
  if (sizes.size() == 3) header.slices = fields.count("DimSize", sizes[2]);
  if (const auto channels = fields.numbers("ElementNumberOfChannels"); !channels.empty())
    header.channels = fields.count("ElementNumberOfChannels", channels[0]);
  const std::string word = fields.text("ElementType");
  const auto* type = std::find_if(std::begin(typeNames), std::end(typeNames),
                                  [&](const TypeName& t) { return t.word == word; });
  if (type == std::end(typeNames)) {
    fields.refuse("is a MetaImage of " + (word.empty() ? "no type" : word.substr(0, 20)) +
                  "; save it as MET_UCHAR, MET_USHORT or MET_FLOAT");
  }
  header.type = type->type;
  header.highByteFirst = fields.isTrue("BinaryDataByteOrderMSB") || fields.isTrue("ElementByteOrderMSB");
  const std::vector<double> spacing = fields.numbers("ElementSpacing");
  if (std::any_of(spacing.begin(), spacing.end(), [](double s) { return s != 1; }))
    header.spacing = fields.text("ElementSpacing").substr(0, 80);
  header.end = fields.end();
  return header;
}

/// Where each slice begins. The file holds them all, so that their number is no greater than its size.
std::vector<std::int64_t> slicesOf(const ReadableFile& file) {
  const MhaHeader header = readHeader(file);
  if (header.slices == 1) return {header.end};
  if (header.slices > mostSlices) {
    file.fail(ErrorCode::Limit,
              "has " + std::to_string(header.slices) + " slices, the limit is " + std::to_string(mostSlices));
  }
  const std::int64_t held = file.size() - header.end;
  if (header.rowBytes() > held || header.height > held / header.rowBytes() ||
      header.slices > held / (header.rowBytes() * header.height)) {
    file.damaged("is cut short: its header promises " + std::to_string(header.slices) +
                 " slices, the file ends before");
  }
  std::vector<std::int64_t> offsets;
  for (std::int64_t i = 0; i < header.slices; ++i)
    offsets.push_back(header.end + i * header.rowBytes() * header.height);
  return offsets;
}

DecoderPointer openMha(FilePointer file, std::int64_t offset, const PageLimits& limits) {
  const MhaHeader header = readHeader(*file);
  requireWithinLimits(*file, header.channels, header.height, header.width, header.type, limits);
  ImageInfo info{.format = "MetaImage",
                 .channels = static_cast<int>(header.channels),
                 .height = static_cast<int>(header.height),
                 .width = static_cast<int>(header.width),
                 .type = header.type};
  const bool colours = info.channels == 3 || info.channels == 4;
  info.channelNames = info.channels == 1 ? colourNames(1, false)
                      : colours          ? colourNames(3, info.channels == 4)
                                         : numberedNames(info.channels);
  if (!header.spacing.empty()) info.notes.push_back("spacing of pixels (" + header.spacing + ") not used");
  RasterLayout layout = interleavedLayout(offset, info.channels, info.width, sizeOf(info.type));
  layout.swapped = header.highByteFirst == isLittleEndianMachine();
  return openRaster(std::move(file), std::move(info), layout, limits);
}

class MhaWriter final : public PageEncoder {
 public:
  MhaWriter(AtomicFile& file, const PageShape& shape) : file_(file), shape_(shape) {
    const auto* type = std::find_if(std::begin(typeNames), std::end(typeNames),
                                    [&](const TypeName& t) { return t.type == shape.type; });
    file_.write("ObjectType = Image\nNDims = 2\nBinaryData = True\nBinaryDataByteOrderMSB = " +
                std::string(isLittleEndianMachine() ? "False" : "True") +
                "\nCompressedData = False\nDimSize = " + std::to_string(shape.width) + " " +
                std::to_string(shape.height) +
                "\nElementNumberOfChannels = " + std::to_string(shape.channels) +
                "\nElementType = " + std::string(type->word) + "\nElementDataFile = LOCAL\n");
    pixels_.resize(static_cast<std::size_t>(shape.width) * static_cast<std::size_t>(shape.channels) *
                   sizeOf(shape.type));
    rows_.resize(static_cast<std::size_t>(shape.channels));
  }

  void putRows(std::span<const ConstPlane> channels) override {
    for (int y = 0; y < channels[0].height; ++y) {
      for (std::size_t c = 0; c < channels.size(); ++c) rows_[c] = channels[c].row(y);
      interleave(rows_.data(), shape_.channels, shape_.width, sizeOf(shape_.type), pixels_.data());
      file_.write(pixels_.data(), pixels_.size());
    }
  }

 private:
  AtomicFile& file_;
  PageShape shape_;
  std::vector<const std::byte*> rows_;
  std::vector<std::byte> pixels_;
};

EncoderPointer createMha(AtomicFile& file, const PageShape& shape) {
  return std::make_unique<MhaWriter>(file, shape);
}

std::string mhaRefusal(const PageShape& shape) {
  return shape.type == ElementType::F16 ? "MetaImage cannot hold float16; use tiff or npy" : "";
}

}  // namespace

const Format mhaFormat{.name = "MetaImage",
                       .endings = {"mha"},
                       .signatures = {"ObjectType", "NDims"},
                       .open = openMha,
                       .pages = slicesOf,
                       .create = createMha,
                       .refusal = mhaRefusal};

}  // namespace bankside::codec
