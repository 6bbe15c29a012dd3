#include "tests/core/imageio/image_files.h"

#include <cstdio>  // jpeglib.h needs it before itself

#include <jpeglib.h>

#include <png.h>
#include <tiffio.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>

#include "tests/support/made_images.h"

namespace bankside::testing {

namespace {

/// Some file systems flush a file that was emptied and written anew, and tests do this often.
void startAnew(const Path& path) { std::filesystem::remove(path); }

}  // namespace

void writeBytes(const Path& path, std::string_view bytes) {
  startAnew(path);
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::string readBytes(const Path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Refusal readRefusal(const Path& path, int page, const ImageLimits& limits) {
  return refusalOf([&] { readImage(path, page, limits); });
}

std::vector<int> values(const Image& image, int channel) {
  std::vector<int> result;
  visit(image.type(), [&](auto element) {
    const auto view = image.view<decltype(element)>(channel);
    for (int y = 0; y < view.height; ++y) {
      for (int x = 0; x < view.width; ++x) result.push_back(static_cast<int>(asFloat(view.at(x, y))));
    }
  });
  return result;
}

bool keeps(FileFormat format, ElementType type) {
  const TemporaryFolder folder;
  try {
    writeImage(folder / "a", Image(1, 1, 1, type), format);
  } catch (const Error&) {
    return false;
  }
  return readImageInfo(folder / "a").type == type;
}

Image anyBits(int channels, int height, int width, ElementType type, unsigned seed) {
  Image image(channels, height, width, type);
  std::mt19937 random(seed);
  for (int c = 0; c < channels; ++c) {
    for (int y = 0; y < height; ++y) {
      std::byte* row = image.plane(c).row(y);
      for (std::size_t i = 0; i < static_cast<std::size_t>(width) * sizeOf(type); ++i) {
        row[i] = static_cast<std::byte>(random() & 255);
      }
    }
  }
  if (type == ElementType::F32) {  // the ones that go wrong first
    const std::uint32_t special[] = {0x7f800000u, 0xff800000u, 0x7fc00001u, 0xffa00000u,
                                     0x00000001u, 0x807fffffu, 0x80000000u};
    for (int i = 0; i < std::min(width, 7); ++i) std::memcpy(&image.view<float>(0).at(i, 0), &special[i], 4);
  }
  return image;
}

void writeTiff(const Path& path, const TiffOptions& o,
               const std::function<std::uint64_t(int, int, int)>& sample, const char* mode) {
  if (mode[0] == 'w') startAnew(path);
  // This file's own messages only: whether the readers stay silent is for the tests to see.
  TIFFOpenOptions* quiet = TIFFOpenOptionsAlloc();
  const auto ignore = [](TIFF*, void*, const char*, const char*, va_list) { return 1; };
  TIFFOpenOptionsSetWarningHandlerExtR(quiet, ignore, nullptr);
  TIFF* tiff = TIFFOpenExt(path.c_str(), mode, quiet);
  TIFFOpenOptionsFree(quiet);
  if (tiff == nullptr) throw std::runtime_error("cannot write " + path.string());
  const int samples = o.palette.empty() ? o.samples : 1;
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, o.width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, o.height);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, o.bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, samples);
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, o.format);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, o.photometric);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, o.compression);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, o.separate ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
  if (o.predictor != 0) TIFFSetField(tiff, TIFFTAG_PREDICTOR, o.predictor);
  if (o.orientation != 0) TIFFSetField(tiff, TIFFTAG_ORIENTATION, o.orientation);
  if (o.jpegRgb) TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  if (o.extraSample >= 0) {
    std::vector<std::uint16_t> extras(static_cast<std::size_t>(o.extraCount),
                                      static_cast<std::uint16_t>(o.extraSample));
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, o.extraCount, extras.data());
  }
  if (!o.palette.empty()) {
    const std::size_t count = o.palette.size() / 3;
    TIFFSetField(tiff, TIFFTAG_COLORMAP, o.palette.data(), o.palette.data() + count,
                 o.palette.data() + 2 * count);
  }
  const bool tiled = o.tileWidth > 0;
  const int blockWidth = tiled ? o.tileWidth : o.width;
  const int blockHeight = tiled ? o.tileHeight : o.rowsPerStrip > 0 ? o.rowsPerStrip : o.height;
  if (tiled) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, o.tileWidth);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, o.tileHeight);
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, blockHeight);
  }
  const int perBlock = o.separate ? 1 : samples;
  const auto rowBytes = static_cast<std::size_t>((blockWidth * perBlock * o.bits + 7) / 8);
  std::uint32_t block = 0;
  for (int plane = 0; plane < (o.separate ? samples : 1); ++plane) {
    for (int top = 0; top < o.height; top += blockHeight) {
      for (int left = 0; left < o.width; left += blockWidth) {
        const int rows = tiled ? blockHeight : std::min(blockHeight, o.height - top);
        std::vector<unsigned char> bytes(rowBytes * static_cast<std::size_t>(rows));
        for (int y = 0; y < rows && top + y < o.height; ++y) {
          for (int x = 0; x < blockWidth && left + x < o.width; ++x) {
            for (int s = 0; s < perBlock; ++s) {
              const std::uint64_t value = sample(plane + s, top + y, left + x);
              unsigned char* row = bytes.data() + rowBytes * static_cast<std::size_t>(y);
              const int index = x * perBlock + s;
              if (o.bits >= 8) {  // little-endian machines only, as is the rest of the tests
                std::memcpy(row + index * (o.bits / 8), &value, static_cast<std::size_t>(o.bits / 8));
              } else {
                row[index * o.bits / 8] |=
                    static_cast<unsigned char>(value << (8 - o.bits - index * o.bits % 8));
              }
            }
          }
        }
        const auto size = static_cast<tmsize_t>(bytes.size());
        const tmsize_t done = tiled ? TIFFWriteEncodedTile(tiff, block, bytes.data(), size)
                                    : TIFFWriteEncodedStrip(tiff, block, bytes.data(), size);
        if (done < 0) throw std::runtime_error("libtiff cannot write " + path.string());
        ++block;
      }
    }
  }
  TIFFWriteDirectory(tiff);
  TIFFClose(tiff);
}

void writePng(const Path& path, const PngOptions& o, const std::function<int(int, int, int)>& sample) {
  startAnew(path);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_IHDR(png, info, static_cast<png_uint_32>(o.width), static_cast<png_uint_32>(o.height), o.bits,
               o.colour, o.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  std::vector<png_color> palette;
  for (std::size_t i = 0; i + 2 < o.palette.size(); i += 3) {
    palette.push_back({o.palette[i], o.palette[i + 1], o.palette[i + 2]});
  }
  if (!palette.empty()) png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
  if (!o.paletteAlpha.empty()) {
    png_set_tRNS(png, info, o.paletteAlpha.data(), static_cast<int>(o.paletteAlpha.size()), nullptr);
  }
  if (!o.transparent.empty()) {
    png_color_16 key{};
    const auto at = [&](std::size_t i) { return static_cast<png_uint_16>(o.transparent[i]); };
    if (o.transparent.size() == 1) key.gray = at(0);
    if (o.transparent.size() == 3) key.red = at(0), key.green = at(1), key.blue = at(2);
    png_set_tRNS(png, info, nullptr, 1, &key);
  }
  // Wrong indices are for the reader to find.
  png_set_check_for_invalid_index(png, 0);
  png_write_info(png, info);
  const int channels = o.colour == PNG_COLOR_TYPE_PALETTE ? 1 : png_get_channels(png, info);
  const auto rowBytes = static_cast<std::size_t>((o.width * channels * o.bits + 7) / 8);
  std::vector<png_byte> pixels(rowBytes * static_cast<std::size_t>(o.height));
  std::vector<png_bytep> rows;
  for (int y = 0; y < o.height; ++y) {
    png_bytep row = pixels.data() + rowBytes * static_cast<std::size_t>(y);
    rows.push_back(row);
    for (int i = 0; i < o.width * channels; ++i) {
      const int value = sample(i % channels, y, i / channels);
      if (o.bits == 16) {
        row[2 * i] = static_cast<png_byte>(value >> 8);
        row[2 * i + 1] = static_cast<png_byte>(value & 255);
      } else {
        row[i * o.bits / 8] |= static_cast<png_byte>(value << (8 - o.bits - i * o.bits % 8));
      }
    }
  }
  png_write_image(png, rows.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

void writeJpeg(const Path& path, const JpegOptions& o, const std::function<int(int, int, int)>& sample) {
  startAnew(path);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  jpeg_compress_struct jpeg;
  jpeg_error_mgr errors;
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  jpeg_stdio_dest(&jpeg, file);
  jpeg.image_width = static_cast<JDIMENSION>(o.width);
  jpeg.image_height = static_cast<JDIMENSION>(o.height);
  jpeg.input_components = o.components;
  jpeg.in_color_space = o.components == 1 ? JCS_GRAYSCALE : o.components == 3 ? JCS_RGB : JCS_CMYK;
  jpeg_set_defaults(&jpeg);
  if (o.ycck) jpeg_set_colorspace(&jpeg, JCS_YCCK);
  jpeg_set_quality(&jpeg, o.quality, TRUE);
  if (o.progressive) jpeg_simple_progression(&jpeg);
  jpeg_start_compress(&jpeg, TRUE);
  if (!o.exif.empty()) {
    jpeg_write_marker(&jpeg, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(o.exif.data()),
                      static_cast<unsigned>(o.exif.size()));
  }
  std::vector<JSAMPLE> row(static_cast<std::size_t>(o.width * o.components));
  for (int y = 0; y < o.height; ++y) {
    for (int i = 0; i < o.width * o.components; ++i) {
      row[static_cast<std::size_t>(i)] = static_cast<JSAMPLE>(sample(i % o.components, y, i / o.components));
    }
    JSAMPROW pointer = row.data();
    jpeg_write_scanlines(&jpeg, &pointer, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  std::fclose(file);
}

std::string exifWithOrientation(int orientation, bool bigEndian) {
  const auto value = static_cast<char>(orientation);
  if (bigEndian) {
    const char bytes[] = {'E',  'x',  'i', 'f', 0, 0, 'M', 'M', 0, 42,    0, 0, 0, 8, 0, 1,
                          0x01, 0x12, 0,   3,   0, 0, 0,   1,   0, value, 0, 0, 0, 0, 0, 0};
    return {bytes, sizeof(bytes)};
  }
  const char bytes[] = {'E',  'x',  'i', 'f', 0, 0, 'I', 'I', 42,    0, 8, 0, 0, 0, 1, 0,
                        0x12, 0x01, 3,   0,   1, 0, 0,   0,   value, 0, 0, 0, 0, 0, 0, 0};
  return {bytes, sizeof(bytes)};
}

}  // namespace bankside::testing
