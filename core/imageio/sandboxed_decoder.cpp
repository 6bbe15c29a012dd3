#include "core/imageio/sandboxed_decoder.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <new>
#include <utility>

#include "core/error.h"
#include "core/imageio/confine.h"
#include "core/imageio/decoder_message.h"
#include "core/text.h"

namespace bankside {
namespace {

using codec::DecoderReply;
using codec::DecoderRequest;
using codec::sharedBytes;

constexpr int parent = STDIN_FILENO;

class Decoder {
 public:
  Decoder(const codec::Formats& formats, std::byte* shared) : formats_(formats), shared_(shared) {}

  DecoderReply answer(const DecoderRequest& request, int descriptor) {
    try {
      switch (request.kind) {
        case DecoderRequest::Begin: break;
        case DecoderRequest::Pages: return pages(request, descriptor);
        case DecoderRequest::Open: return open(request, descriptor);
        case DecoderRequest::Rows: return rows(request);
        case DecoderRequest::Close: pages_.erase(request.reader); break;
      }
      return {};
    } catch (const std::bad_alloc&) {
      return {.kind = DecoderReply::NoMemory};
    } catch (const Error& error) {
      return failed(error.code(), error.what());
    } catch (const std::exception& error) {
      return failed(ErrorCode::BadInput, std::string(": ") + error.what());
    }
  }

  DecoderReply failed(ErrorCode code, std::string sentence) {
    sentence.resize(std::min(sentence.size(), sharedBytes));
    return {
        .kind = DecoderReply::Failed, .error = static_cast<std::int32_t>(code), .shared = share(sentence)};
  }

 private:
  struct Page {
    codec::DecoderPointer reader;
    Image image = {};  ///< of a reader that gives the whole page only, once rows of it were asked for
  };

  std::int64_t share(const std::string& bytes) {
    std::memcpy(shared_, bytes.data(), bytes.size());
    return static_cast<std::int64_t>(bytes.size());
  }

  DecoderReply pages(const DecoderRequest& request, int descriptor) {
    const ReadableFile file(descriptor, request.fileBytes);
    const std::vector<std::int64_t> offsets = formats_.pagesOf(file);
    const std::size_t bytes = offsets.size() * sizeof(offsets[0]);
    if (bytes > sharedBytes) {
      file.fail(ErrorCode::Limit, "has " + std::to_string(offsets.size()) +
                                      " pages, with --untrusted at most " +
                                      std::to_string(sharedBytes / sizeof(offsets[0])) + " are read");
    }
    std::memcpy(shared_, offsets.data(), bytes);
    return {.shared = static_cast<std::int64_t>(bytes)};
  }

  DecoderReply open(const DecoderRequest& request, int descriptor) {
    const auto file = std::make_shared<const ReadableFile>(descriptor, request.fileBytes);
    codec::DecoderPointer reader = formats_.openPage(file, request.offset, request.limits);
    const ImageInfo& info = reader->info();
    std::string words = info.format + '\0';
    for (const auto* list : {&info.channelNames, &info.notes})
      for (const std::string& word : *list) words += word + '\0';
    if (words.size() > sharedBytes) file->fail(ErrorCode::Limit, "has names of channels without an end");
    const DecoderReply reply{.shared = share(words),
                             .streams = reader->streams() ? 1 : 0,
                             .channels = info.channels,
                             .height = info.height,
                             .width = info.width,
                             .type = static_cast<std::int32_t>(info.type),
                             .names = static_cast<std::int32_t>(info.channelNames.size())};
    pages_[request.reader] = {std::move(reader)};
    return reply;
  }

  DecoderReply rows(const DecoderRequest& request) {
    Page& page = pages_.at(request.reader);
    const ImageInfo& info = page.reader->info();
    const std::size_t rowBytes = static_cast<std::size_t>(info.width) * sizeOf(info.type);
    if (!page.reader->streams() && page.image.empty()) page.image = page.reader->readAll();
    std::byte* to = shared_;
    for (int c = request.firstChannel; c < request.firstChannel + request.channels; ++c) {
      if (page.image.empty()) {
        page.reader->readRows(
            c, request.firstRow,
            {to, info.type, info.width, request.rows, static_cast<std::ptrdiff_t>(rowBytes)});
        to += rowBytes * static_cast<std::size_t>(request.rows);
      } else {
        for (int y = request.firstRow; y < request.firstRow + request.rows; ++y, to += rowBytes)
          std::memcpy(to, std::as_const(page.image).plane(c).row(y), rowBytes);
      }
    }
    return {.shared = to - shared_};
  }

  const codec::Formats& formats_;
  std::byte* shared_;
  std::map<std::int32_t, Page> pages_;
};

}  // namespace

int decodeInSandbox(const char* memory) { return decodeInSandbox(memory, {codec::pagesOf, codec::openPage}); }

int decodeInSandbox(const char* memory, const codec::Formats& formats) {
  const auto bytes = parseInteger(memory);
  DecoderRequest request;
  int descriptor = -1;
  if (!bytes || !codec::receiveMessage(parent, &request, sizeof(request), descriptor) || descriptor < 0)
    return 2;
  Decoder decoder(formats, codec::mapShared(descriptor));
  close(descriptor);
  DecoderReply reply;
  try {
    codec::confine(*bytes);
  } catch (const Error& error) {
    reply = decoder.failed(error.code(), error.what());
  }
  while (codec::sendMessage(parent, &reply, sizeof(reply)) &&
         codec::receiveMessage(parent, &request, sizeof(request), descriptor))
    reply = decoder.answer(request, descriptor);
  _exit(0);  // what ends a program in order makes calls that are no longer allowed
}

}  // namespace bankside
