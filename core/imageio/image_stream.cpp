#include "core/imageio/image_stream.h"

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/imageio/image_codec.h"
#include "core/process.h"
#include "core/stopping.h"
#include "core/wanting.h"

namespace bankside {
namespace {

class StreamedSource final : public Source {
 public:
  explicit StreamedSource(codec::DecoderPointer reader) : reader_(std::move(reader)) {}
  ElementType type() const override { return reader_->info().type; }
  int channels() const override { return reader_->info().channels; }
  int height() const override { return reader_->info().height; }
  int width() const override { return reader_->info().width; }
  void readRows(int channel, int firstRow, MutablePlane dst) override {
    const ImageInfo& info = reader_->info();
    if (channel < 0 || channel >= info.channels || firstRow < 0 || dst.height > info.height - firstRow ||
        dst.width != info.width || dst.type != info.type) {
      throw Error(ErrorCode::BadInput, "rows were asked for that the image file does not have");
    }
    reader_->readRows(channel, firstRow, dst);
  }

 private:
  codec::DecoderPointer reader_;
};

/// Owns the image, unlike ImageSource.
class LoadedSource final : public Source {
 public:
  explicit LoadedSource(Image image) : image_(std::move(image)), source_(image_) {}
  ElementType type() const override { return source_.type(); }
  int channels() const override { return source_.channels(); }
  int height() const override { return source_.height(); }
  int width() const override { return source_.width(); }
  std::optional<ConstPlane> resident(int channel) const override { return source_.resident(channel); }
  void readRows(int channel, int firstRow, MutablePlane dst) override {
    source_.readRows(channel, firstRow, dst);
  }

 private:
  Image image_;
  ImageSource source_;
};

class WriterSink final : public FileSink {
 public:
  WriterSink(const std::vector<PlaneFile>& planes, int height, int width, FileFormat format,
             std::optional<Compression> compression)
      : height_(height), width_(width), format_(format), compression_(compression) {
    std::set<std::filesystem::path> paths;
    for (const PlaneFile& plane : planes) {
      if (!paths.insert(plane.path.lexically_normal()).second) {
        throw Error(ErrorCode::BadInput, plane.path.string() + ": two results would be written here");
      }
      codec::requireWritable(plane.path, shapeOf(plane.type), format);
      outputs_.push_back({.plane = plane});
    }
  }

  int planes() const override { return static_cast<int>(outputs_.size()); }
  ElementType type(int plane) const override { return outputs_[static_cast<std::size_t>(plane)].plane.type; }

  void writeRows(int plane, int firstRow, ConstPlane src) override {
    Output& output = outputs_.at(static_cast<std::size_t>(plane));
    if (firstRow != output.rows || src.width != width_ || src.height > height_ - firstRow ||
        src.type != output.plane.type) {
      throw Error(ErrorCode::BadInput, output.plane.path.string() + ": rows came out of order");
    }
    if (output.file == nullptr) {
      output.file = std::make_unique<AtomicFile>(output.plane.path);
      output.writer = codec::createWriter(*output.file, shapeOf(src.type), format_);
    }
    output.writer->writeRows({&src, 1});
    output.rows += src.height;
    if (output.rows < height_) return;
    // Encoders of planes that come one after another are not held side by side.
    output.writer->finish();
    output.writer.reset();
  }

  void commit(Existing existing, const StopCheck& check) override {
    std::vector<AtomicFile*> files;
    for (Output& output : outputs_) {
      if (output.rows != height_ || output.writer != nullptr)
        throw Error(ErrorCode::BadInput, output.plane.path.string() + ": rows are missing");
      files.push_back(output.file.get());
    }
    commitTogether(files, existing, [&check] {
      throwIfProgramStops();
      ask(check);
    });
  }

 private:
  struct Output {
    PlaneFile plane;
    int rows = 0;
    std::unique_ptr<AtomicFile> file = {};
    codec::EncoderPointer writer = {};  // refers to the file: gone before it
  };

  codec::PageShape shapeOf(ElementType type) const {
    return {1, height_, width_, type, {"grey"}, compression_};
  }

  int height_;
  int width_;
  FileFormat format_;
  std::optional<Compression> compression_;
  std::vector<Output> outputs_;
};

}  // namespace

std::unique_ptr<Source> openSource(const ImageFile& file, int page, const ImageLimits& limits) {
  codec::DecoderPointer reader = file.open(page, {limits, false});
  if (reader->streams()) return std::make_unique<StreamedSource>(std::move(reader));
  reader.reset();  // once more, with the limit on the whole page
  return std::make_unique<LoadedSource>(file.read(page, limits).image);
}

std::unique_ptr<Source> openSource(const std::filesystem::path& path, int page, const ImageLimits& limits) {
  return openSource(ImageFile(path), page, limits);
}

std::unique_ptr<FileSink> createSink(const std::vector<PlaneFile>& planes, int height, int width,
                                     FileFormat format, std::optional<Compression> compression) {
  if (height < 1 || width < 1) throw Error(ErrorCode::BadInput, "a sink without rows or columns");
  constexpr std::size_t others = 32;  // files that the program has open beside
  if (const auto most = static_cast<std::size_t>(openFileLimit()); planes.size() + others > most) {
    throw Wanting(std::to_string(planes.size()) +
                  " results would be written at the same time, and the system lets " + std::to_string(most) +
                  " files be open; allow more with ulimit -n, or give more --memory, so that images are not "
                  "written in bands");
  }
  return std::make_unique<WriterSink>(planes, height, width, format, compression);
}

}  // namespace bankside
