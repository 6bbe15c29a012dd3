#include "core/imageio/page_stack.h"

#include <algorithm>

#include "core/error.h"
#include "core/imageio/image_stream.h"
#include "core/text.h"

namespace bankside {
namespace {

class StackSource final : public Source {
 public:
  StackSource(const ImageInfo& info, std::vector<Image> images, std::vector<std::unique_ptr<Source>> pages)
      : info_(info), images_(std::move(images)), pages_(std::move(pages)) {
    for (const Image& image : images_) pages_.push_back(std::make_unique<ImageSource>(image));
  }
  ElementType type() const override { return info_.type; }
  int channels() const override { return info_.channels; }
  int height() const override { return info_.height; }
  int width() const override { return info_.width; }
  std::optional<ConstPlane> resident(int channel) const override { return page(channel).resident(0); }
  void readRows(int channel, int firstRow, MutablePlane dst) override {
    page(channel).readRows(0, firstRow, dst);
  }

 private:
  Source& page(int channel) const { return *pages_[static_cast<std::size_t>(channel)]; }
  ImageInfo info_;
  std::vector<Image> images_;
  std::vector<std::unique_ptr<Source>> pages_;
};

std::string shapeOf(const ImageInfo& info) {
  return std::to_string(info.width) + " x " + std::to_string(info.height) + " " + toString(info.type);
}

}  // namespace

PageStack openPageStack(const ImageFile& image, std::int64_t residentBytes, ImageLimits limits) {
  ImageLimits anySize = limits;
  anySize.maxBytes = std::numeric_limits<std::int64_t>::max();
  const std::string file = image.path().string();
  PageStack stack{image.info(0, anySize), nullptr};
  const int pages = stack.info.pages;
  if (pages > maxStackPages) {
    throw Error(ErrorCode::Limit, file + ": has " + std::to_string(pages) + " pages, of which at most " +
                                      std::to_string(maxStackPages) + " can be channels");
  }
  const double bytes = static_cast<double>(pages) * stack.info.height * stack.info.width *
                       static_cast<double>(sizeOf(stack.info.type));
  const bool inMemory = bytes <= static_cast<double>(residentBytes);
  if (!inMemory && pages > maxStreamedPages) {
    throw Error(ErrorCode::Limit, file + ": its " + std::to_string(pages) +
                                      " pages do not fit the memory allowed, and at most " +
                                      std::to_string(maxStreamedPages) + " can be read side by side");
  }
  stack.info.notes.clear();
  stack.info.channelNames.clear();
  if (!inMemory) limits.cacheBytes /= pages;
  std::vector<Image> images;
  std::vector<std::unique_ptr<Source>> sources;
  for (int p = 0; p < pages; ++p) {
    const ImageInfo info = image.info(p, anySize);
    const std::string page = file + ": page " + std::to_string(p + 1);
    if (info.channels != 1) {
      throw Error(ErrorCode::BadInput, page + " has the channels " + joinWords(info.channelNames) +
                                           "; pages become channels where each has one");
    }
    if (shapeOf(info) != shapeOf(stack.info)) {
      throw Error(ErrorCode::BadInput, page + " is " + shapeOf(info) + ", the first is " +
                                           shapeOf(stack.info) +
                                           "; pages become channels where all are alike");
    }
    for (const std::string& note : info.notes) {
      auto& notes = stack.info.notes;
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
    }
    stack.info.channelNames.push_back("page" + std::to_string(p + 1));
    if (inMemory) {
      images.push_back(image.read(p, limits).image);
    } else {
      sources.push_back(openSource(image, p, limits));
    }
  }
  stack.info.pages = 1;
  stack.info.channels = pages;
  stack.source = std::make_unique<StackSource>(stack.info, std::move(images), std::move(sources));
  return stack;
}

}  // namespace bankside
