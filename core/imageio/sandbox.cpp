#include "core/imageio/sandbox.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/imageio/decoder_process.h"
#include "core/imageio/sandboxed_decoder.h"
#include "core/stopping.h"

namespace bankside {
namespace {

using codec::DecoderProcess;
using codec::DecoderReply;
using codec::DecoderRequest;
using codec::FilePointer;
using codec::PageLimits;
using codec::sharedBytes;

std::atomic<Sandbox*> living{nullptr};

/// Rows of a whole page come so many bytes at a time, which caches hold.
constexpr std::size_t windowBytes = std::size_t{1} << 20;

/// What a page is said to hold is checked as if a stranger had said it.
ImageInfo infoOf(const ReadableFile& file, const DecoderReply& reply, std::span<const std::byte> shared,
                 const PageLimits& limits) {
  const auto nonsense = [&] { file.damaged("makes what decodes it answer nonsense"); };
  if (reply.type < 0 || reply.type > static_cast<int>(ElementType::F32)) nonsense();
  ImageInfo info{.channels = reply.channels,
                 .height = reply.height,
                 .width = reply.width,
                 .type = static_cast<ElementType>(reply.type)};
  codec::requireWithinLimits(file, info.channels, info.height, info.width, info.type, limits);
  if (reply.names != 0 && reply.names != info.channels) nonsense();
  const std::string words(reinterpret_cast<const char*>(shared.data()), shared.size());
  std::vector<std::string> list;
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find('\0', begin), words.size());
    list.push_back(words.substr(begin, end - begin));
    begin = end + 1;
  }
  if (list.size() < 1 + static_cast<std::size_t>(reply.names)) nonsense();
  const auto notes = list.begin() + 1 + reply.names;
  info.format = list.front();
  info.channelNames.assign(list.begin() + 1, notes);
  info.notes.assign(notes, list.end());
  return info;
}

class SandboxedReader final : public codec::PageDecoder {
 public:
  SandboxedReader(std::shared_ptr<DecoderProcess> process, FilePointer file, std::int64_t offset,
                  PageLimits limits)
      : process_(std::move(process)), file_(std::move(file)) {
    // A whole page is asked for in windows from the top.
    if (limits.wholePage) limits.cacheBytes = std::min<std::int64_t>(limits.cacheBytes, 4 * windowBytes);
    static std::atomic<std::int32_t> numbers{0};
    reader_ = numbers++;
    const DecoderRequest request{.kind = DecoderRequest::Open,
                                 .reader = reader_,
                                 .fileBytes = file_->size(),
                                 .offset = offset,
                                 .limits = limits};
    process_->ask(request, file_->descriptor(), *file_, 0, [&](const DecoderReply& reply, auto shared) {
      info_ = infoOf(*file_, reply, shared, limits);
      streams_ = reply.streams != 0;
    });
  }
  ~SandboxedReader() override {
    try {
      process_->ask({.kind = DecoderRequest::Close, .reader = reader_}, -1, *file_, 0);
    } catch (const std::exception&) {
      // It has ended, and with it the reader.
    }
  }
  SandboxedReader(const SandboxedReader&) = delete;
  SandboxedReader& operator=(const SandboxedReader&) = delete;

  bool streams() const override { return streams_; }

  Image readAll() override {
    Image image = codec::allocate(*file_, info_.channels, info_.height, info_.width, info_.type);
    std::vector<MutablePlane> planes;
    for (int c = 0; c < info_.channels; ++c) planes.push_back(image.plane(c));
    const bool together = rowBytes() * planes.size() <= sharedBytes;
    const std::size_t atOnce = together ? planes.size() : 1;
    for (std::size_t c = 0; c < planes.size(); c += atOnce) {
      const std::span some = std::span(planes).subspan(c, atOnce);
      const int most = static_cast<int>(std::clamp<std::size_t>(windowBytes / (rowBytes() * atOnce), 1,
                                                                static_cast<std::size_t>(info_.height)));
      for (int y = 0; y < info_.height; y += most)
        fill(static_cast<int>(c), y, std::min(most, info_.height - y), some, y);
    }
    return image;
  }

  void readRows(int channel, int firstRow, MutablePlane dst) override {
    const int most = static_cast<int>(
        std::clamp<std::size_t>(sharedBytes / rowBytes(), 1, static_cast<std::size_t>(dst.height)));
    for (int y = 0; y < dst.height; y += most)
      fill(channel, firstRow + y, std::min(most, dst.height - y), {&dst, 1}, y);
  }

 private:
  std::size_t rowBytes() const { return static_cast<std::size_t>(info_.width) * sizeOf(info_.type); }

  /// Rows [firstRow, firstRow + rows) of the channels from `channel` on, into the planes from row `at` on.
  void fill(int channel, int firstRow, int rows, std::span<const MutablePlane> planes, int at) {
    throwIfProgramStops();
    const std::size_t expected = rowBytes() * planes.size() * static_cast<std::size_t>(rows);
    const DecoderRequest request{.kind = DecoderRequest::Rows,
                                 .reader = reader_,
                                 .firstChannel = channel,
                                 .channels = static_cast<std::int32_t>(planes.size()),
                                 .firstRow = firstRow,
                                 .rows = rows};
    const double pixels = static_cast<double>(info_.height) * info_.width;
    process_->ask(request, -1, *file_, pixels, [&](const DecoderReply&, std::span<const std::byte> shared) {
      if (shared.size() != expected) file_->damaged("makes what decodes it answer nonsense");
      const std::byte* from = shared.data();
      for (const MutablePlane& plane : planes)
        for (int y = at; y < at + rows; ++y, from += rowBytes()) std::memcpy(plane.row(y), from, rowBytes());
    });
  }

  std::shared_ptr<DecoderProcess> process_;
  FilePointer file_;
  std::int32_t reader_ = 0;
  bool streams_ = false;
};

}  // namespace

/// Those that wait for work. They outlive the sandbox where a reader does.
struct Sandbox::Idle {
  std::mutex mutex;
  std::vector<std::unique_ptr<DecoderProcess>> processes;
};

Sandbox::Sandbox(SandboxSettings settings) : settings_(std::move(settings)), idle_(std::make_shared<Idle>()) {
  settings_.program.push_back(sandboxedDecoderWord);
  settings_.program.push_back(std::to_string(settings_.memory));
  idle_->processes.push_back(start());
  living = this;
}

Sandbox::~Sandbox() { living = nullptr; }

Sandbox* Sandbox::current() { return living; }

std::unique_ptr<DecoderProcess> Sandbox::start() const {
  return std::make_unique<DecoderProcess>(settings_.program, settings_.seconds);
}

Sandbox::Process Sandbox::take(const ReadableFile& file) {
  std::unique_ptr<DecoderProcess> taken;
  {
    const std::lock_guard lock(idle_->mutex);
    if (!idle_->processes.empty()) {
      taken = std::move(idle_->processes.back());
      idle_->processes.pop_back();
    }
  }
  try {
    if (taken == nullptr) taken = start();
  } catch (const Error& error) {
    file.fail(error.code(), error.what());
  }
  return {taken.release(), [idle = idle_](DecoderProcess* done) {
            std::unique_ptr<DecoderProcess> back(done);
            if (!back->alive()) return;
            const std::lock_guard lock(idle->mutex);
            idle->processes.push_back(std::move(back));
          }};
}

Sandbox::Process Sandbox::takeToStream(const ReadableFile& file) {
  const std::lock_guard lock(mutex_);
  if (const auto found = inRows_.find(&file); found != inRows_.end()) {
    if (Process process = found->second.lock()) return process;
  }
  std::erase_if(inRows_, [](const auto& entry) { return entry.second.expired(); });
  Process process = take(file);
  inRows_[&file] = process;
  return process;
}

std::vector<std::int64_t> Sandbox::pagesOf(const ReadableFile& file) {
  std::vector<std::int64_t> offsets;
  take(file)->ask({.kind = DecoderRequest::Pages, .fileBytes = file.size()}, file.descriptor(), file, 0,
                  [&](const DecoderReply&, std::span<const std::byte> shared) {
                    offsets.resize(shared.size() / sizeof(offsets[0]));
                    std::memcpy(offsets.data(), shared.data(), offsets.size() * sizeof(offsets[0]));
                  });
  if (offsets.empty()) file.damaged("makes what decodes it answer nonsense");
  return offsets;
}

std::unique_ptr<codec::PageDecoder> Sandbox::openPage(const std::shared_ptr<const ReadableFile>& file,
                                                      std::int64_t offset, const PageLimits& limits) {
  return std::make_unique<SandboxedReader>(limits.wholePage ? take(*file) : takeToStream(*file), file, offset,
                                           limits);
}

}  // namespace bankside
