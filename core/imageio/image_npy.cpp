/// NPY, versions 1 to 3, without objects.
/// Source  numpy.lib.format, "A simple format for saving numpy arrays to disk".
///
/// An array has no channel names, so its axes decide: [H,W]; [H,W,C] where the last is 1, 3 or 4 long (as
/// pictures come out of other programs); else [C,H,W]; [1,C,H,W] is always [C,H,W]. The writer uses the last
/// form only for images 1, 3 or 4 pixels wide, which would be misread otherwise.
#include <cstring>

#include "core/imageio/image_raster.h"
#include "core/imageio/npy_header.h"
#include "core/text.h"

namespace bankside::codec {
namespace {

bool isChannelAxis(std::int64_t length) { return length == 1 || length == 3 || length == 4; }

struct Element {
  ElementType type = ElementType::U8;
  bool littleEndian = true;
};

Element parseElement(const ReadableFile& file, const std::string& description) {
  const char order = description.empty() ? '\0' : description[0];
  const std::string kind = description.empty() ? "" : description.substr(1);
  const bool littleEndian = order == '<' || (order == '=' && isLittleEndianMachine());
  if (order == '<' || order == '>' || order == '|' || order == '=') {
    if (kind == "u1") return {ElementType::U8, littleEndian};
    if (kind == "u2" && order != '|') return {ElementType::U16, littleEndian};
    if (kind == "f2" && order != '|') return {ElementType::F16, littleEndian};
    if (kind == "f4" && order != '|') return {ElementType::F32, littleEndian};
  }
  const std::string name = kind == "f8"                      ? "64-bit floats"
                           : kind == "b1"                    ? "booleans"
                           : kind == "O"                     ? "Python objects"
                           : !kind.empty() && kind[0] == 'i' ? "signed integers"
                           : kind == "u4" || kind == "u8"    ? "wide unsigned integers"
                           : !kind.empty() && kind[0] == 'c' ? "complex numbers"
                                                             : "elements";
  file.fail(ErrorCode::Unsupported, "is an NPY file of " + name + " ('" + description.substr(0, 20) +
                                        "'); save it as uint8, uint16, float16 or float32");
}

class NpyWriter final : public PageEncoder {
 public:
  NpyWriter(AtomicFile& file, const PageShape& shape) : file_(file), shape_(shape) {
    const char order = shape.type == ElementType::U8 ? '|' : isLittleEndianMachine() ? '<' : '>';
    const char* kind = shape.type == ElementType::U8    ? "u1"
                       : shape.type == ElementType::U16 ? "u2"
                       : shape.type == ElementType::F16 ? "f2"
                                                        : "f4";
    std::string axes = std::to_string(shape.height) + ", " + std::to_string(shape.width);
    if (shape.channels > 1) axes = std::to_string(shape.channels) + ", " + axes;
    if (shape.channels > 1 && isChannelAxis(shape.width)) axes = "1, " + axes;
    std::string text =
        std::string("{'descr': '") + order + kind + "', 'fortran_order': False, 'shape': (" + axes + "), }";
    while ((10 + text.size() + 1) % 64 != 0) text.push_back(' ');  // the format aligns its pixels
    text.push_back('\n');
    const unsigned char prefix[10] = {0x93,
                                      'N',
                                      'U',
                                      'M',
                                      'P',
                                      'Y',
                                      1,
                                      0,
                                      static_cast<unsigned char>(text.size() & 255),
                                      static_cast<unsigned char>(text.size() >> 8)};
    file_.write(prefix, sizeof(prefix));
    file_.write(text);
    layout_ = planarLayout(file_.size(), shape.height, shape.width, sizeOf(shape.type));
  }

  void putRows(std::span<const ConstPlane> channels) override {
    for (std::size_t c = 0; c < channels.size(); ++c) {
      std::int64_t offset =
          layout_.offset + static_cast<std::int64_t>(c) * layout_.channelStep + nextRow_ * layout_.rowStep;
      for (int y = 0; y < channels[c].height; ++y, offset += layout_.rowStep) {
        file_.writeAt(offset, channels[c].row(y), static_cast<std::size_t>(layout_.rowStep));
      }
    }
    nextRow_ += channels[0].height;
  }

 private:
  AtomicFile& file_;
  PageShape shape_;
  RasterLayout layout_;
  int nextRow_ = 0;
};

DecoderPointer openNpy(FilePointer file, std::int64_t, const PageLimits& limits) {
  NpyHeader header = readNpyHeader(*file);
  const Element element = parseElement(*file, header.description);

  std::vector<std::int64_t>& shape = header.shape;
  const bool batchOfOne = shape.size() == 4 && shape[0] == 1;
  if (shape.size() != 2 && shape.size() != 3 && !batchOfOne) {
    file->fail(ErrorCode::Unsupported, "is an NPY array of shape " + npyShapeText(header) +
                                           ", which is no picture: that is " +
                                           "[H,W], [C,H,W] or [H,W,C] with 1, 3 or 4 channels");
  }
  const bool channelsLast = shape.size() == 3 && isChannelAxis(shape[2]);
  const std::size_t rowAxis = shape.size() == 2 || channelsLast ? 0 : shape.size() - 2;
  const std::int64_t channels = shape.size() == 2 ? 1 : channelsLast ? shape[2] : shape[rowAxis - 1];
  const std::int64_t height = shape[rowAxis];
  const std::int64_t width = shape[rowAxis + 1];
  requireWithinLimits(*file, channels, height, width, element.type, limits);

  ImageInfo info{.format = "NPY",
                 .channels = static_cast<int>(channels),
                 .height = static_cast<int>(height),
                 .width = static_cast<int>(width),
                 .type = element.type};
  if (channels == 1) {
    info.channelNames = colourNames(1, false);
  } else if (channelsLast) {
    info.channelNames = colourNames(3, channels == 4);
    info.notes.push_back("last axis of " + std::to_string(channels) + " taken as colour channels");
  } else {
    info.channelNames = numberedNames(info.channels);
  }
  const std::vector<std::int64_t> steps =
      npyAxisSteps(header, static_cast<std::int64_t>(sizeOf(element.type)));
  RasterLayout layout{
      .offset = header.dataOffset, .rowStep = steps[rowAxis], .columnStep = steps[rowAxis + 1]};
  if (shape.size() > 2) layout.channelStep = channelsLast ? steps[2] : steps[rowAxis - 1];
  layout.swapped = element.littleEndian != isLittleEndianMachine();
  return openRaster(std::move(file), std::move(info), layout, limits);
}

EncoderPointer createNpy(AtomicFile& file, const PageShape& shape) {
  return std::make_unique<NpyWriter>(file, shape);
}

}  // namespace

const Format npyFormat{
    .name = "NPY", .endings = {"npy"}, .signatures = {"\x93NUMPY"}, .open = openNpy, .create = createNpy};

}  // namespace bankside::codec
