#include "core/imageio/image_io.h"

#include <new>

#include "core/error.h"
#include "core/imageio/image_codec.h"
#include "core/imageio/sandbox.h"
#include "core/text.h"
#include "core/wanting.h"

namespace bankside {
namespace {

using codec::DecoderPointer;
using codec::FilePointer;

/// Nothing but Error leaves, and always with the path in front.
template <class Function>
auto named(const std::filesystem::path& path, Function&& function) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    throw Wanting(path.string() + ": not enough memory");
  }
}

}  // namespace

struct ImageFile::Opened {
  FilePointer file;
  std::vector<std::int64_t> pages;  // where each begins
};

ImageFile::ImageFile(const std::filesystem::path& path) {
  opened_ = named(path, [&] {
    const auto file = std::make_shared<const ReadableFile>(path);
    Sandbox* sandbox = Sandbox::current();
    auto pages = sandbox != nullptr ? sandbox->pagesOf(*file) : codec::pagesOf(*file);
    if (pages.empty()) file->damaged("has no page");
    return std::make_shared<const Opened>(Opened{file, std::move(pages)});
  });
}

const std::filesystem::path& ImageFile::path() const { return opened_->file->path(); }

int ImageFile::pages() const { return static_cast<int>(opened_->pages.size()); }

DecoderPointer ImageFile::open(int page, const codec::PageLimits& limits) const {
  if (page < 0 || page >= pages()) {
    opened_->file->damaged("has " + counted(pages(), "page") + ", page " + std::to_string(page) +
                           " (counted from 0) is not among them");
  }
  return named(path(), [&] {
    const std::int64_t offset = opened_->pages[static_cast<std::size_t>(page)];
    Sandbox* sandbox = Sandbox::current();
    return sandbox != nullptr ? sandbox->openPage(opened_->file, offset, limits)
                              : codec::openPage(opened_->file, offset, limits);
  });
}

ImageInfo ImageFile::info(int page, const ImageLimits& limits) const {
  ImageInfo info = open(page, {limits})->info();
  info.pages = pages();
  return info;
}

LoadedImage ImageFile::read(int page, const ImageLimits& limits) const {
  return named(path(), [&] {
    const DecoderPointer reader = open(page, {limits});
    LoadedImage loaded{reader->readAll(), reader->info()};
    loaded.info.pages = pages();
    loaded.image.setChannelNames(loaded.info.channelNames);
    return loaded;
  });
}

ImageInfo readImageInfo(const std::filesystem::path& path, int page, const ImageLimits& limits) {
  return ImageFile(path).info(page, limits);
}

LoadedImage readImage(const std::filesystem::path& path, int page, const ImageLimits& limits) {
  return ImageFile(path).read(page, limits);
}

void writeImage(const std::filesystem::path& path, const Image& image, FileFormat format, Existing existing,
                std::optional<Compression> compression) {
  named(path, [&] {
    if (image.empty())
      throw Error(ErrorCode::BadInput, path.string() + ": an image without pixels cannot be written");
    const codec::PageShape shape{image.channels(), image.height(),       image.width(),
                                 image.type(),     image.channelNames(), compression};
    codec::requireWritable(path, shape, format);
    AtomicFile file(path);
    const codec::EncoderPointer writer = codec::createWriter(file, shape, format);
    std::vector<ConstPlane> planes;
    for (int c = 0; c < image.channels(); ++c) planes.push_back(image.plane(c));
    writer->writeRows(planes);
    writer->finish();
    file.commit(existing);
  });
}

}  // namespace bankside
