/// Images decoded by a process that can do nothing else: the same pixels and sentences, and what ends it ends
/// one image.
#include "core/imageio/sandbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "core/imageio/image_stream.h"
#include "tests/core/imageio/image_files.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using testing::anyBits;
using ::testing::HasSubstr;
using testing::Path;
using testing::readRefusal;
using testing::refusalOf;
using testing::TemporaryFolder;
using testing::writeBytes;

class Sandboxed : public ::testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers make calls to the system that a decoder may not make";
#endif
  }
};

SandboxSettings madeUp() {
  return {.program = {BANKSIDE_MADE_UP_DECODER}, .memory = std::int64_t{256} << 20};
}

std::string attempt(const TemporaryFolder& folder, const std::string& what) {
  writeBytes(folder / "made-up", "MADE-UP " + what);
  return readRefusal(folder / "made-up").sentence;
}

/// What reading every page gives, for a comparison.
struct Seen {
  std::vector<Image> images;
  std::vector<ImageInfo> infos;
  std::string sentence;
};

Seen look(const Path& path) {
  Seen seen;
  seen.sentence = refusalOf([&] {
                    const ImageFile file(path);
                    for (int page = 0; page < file.pages(); ++page) {
                      seen.infos.push_back(file.info(page));
                      seen.images.push_back(file.read(page).image);
                      const auto source = openSource(file, page, {.cacheBytes = 1});
                      Image rows(source->channels(), source->height(), source->width(), source->type());
                      for (int c = 0; c < rows.channels(); ++c) source->readRows(c, 0, rows.plane(c));
                      seen.images.push_back(std::move(rows));
                    }
                  }).sentence;
  return seen;
}

/// One of every format and of every way of reading, whole and damaged.
std::vector<Path> writeAll(const TemporaryFolder& folder) {
  const auto pattern = [](int c, int y, int x) { return (x * 7 + y * 31 + c * 101) & 255; };
  std::vector<Path> files;
  const auto next = [&](const std::string& name) { return files.emplace_back(folder / name); };
  testing::writePng(next("grey.png"), {.width = 61, .height = 40}, pattern);
  testing::writePng(next("interlaced.png"), {.width = 61, .height = 40, .colour = 2, .interlaced = true},
                    pattern);
  testing::writeJpeg(next("colour.jpg"), {.width = 61, .height = 40, .components = 3}, pattern);
  testing::writeJpeg(next("turned.jpg"),
                     {.width = 61, .height = 40, .components = 3, .exif = testing::exifWithOrientation(6)},
                     pattern);
  testing::writeTiff(next("planes.tif"),
                     {.width = 61, .height = 40, .samples = 3, .photometric = 2, .separate = true}, pattern);
  testing::writeTiff(next("pages.tif"), {.width = 33, .height = 40}, pattern);
  testing::writeTiff(files.back(), {.width = 33, .height = 41}, pattern, "a");
  // More than goes from hand to hand at a time, by rows and by the row.
  writeImage(next("large.npy"), anyBits(3, 700, 900, ElementType::F32), FileFormat::Npy);
  writeImage(next("wide.npy"), anyBits(2, 3, 900'000, ElementType::F32), FileFormat::Npy);
  writeBytes(next("pages.pgm"), std::string("P5 2 1 255\nab") + "P5 1 2 255\ncd");
  writeBytes(next("short.pgm"), "P5 20 20 255\nab");
  writeBytes(next("huge.pgm"), "P5 900000 900000 255\nab");
  writeBytes(next("text.png"), "no image");
  std::string damaged = testing::readBytes(folder / "colour.jpg");
  damaged.resize(damaged.size() / 2);
  writeBytes(next("damaged.jpg"), damaged);
  next("missing.png");
  return files;
}

TEST_F(Sandboxed, GivesTheSamePixelsNotesAndSentences) {
  const TemporaryFolder folder;
  for (const Path& path : writeAll(folder)) {
    SCOPED_TRACE(path.filename());
    const Seen plain = look(path);
    const Sandbox sandbox(madeUp());
    const Seen seen = look(path);
    EXPECT_EQ(seen.sentence, plain.sentence);
    ASSERT_EQ(seen.images.size(), plain.images.size());
    for (std::size_t i = 0; i < seen.images.size(); ++i)
      EXPECT_TRUE(samePixels(seen.images[i], plain.images[i]));
    ASSERT_EQ(seen.infos.size(), plain.infos.size());
    for (std::size_t i = 0; i < seen.infos.size(); ++i) {
      EXPECT_EQ(seen.infos[i].format, plain.infos[i].format);
      EXPECT_EQ(seen.infos[i].channelNames, plain.infos[i].channelNames);
      EXPECT_EQ(seen.infos[i].notes, plain.infos[i].notes);
      EXPECT_EQ(seen.infos[i].pages, plain.infos[i].pages);
    }
  }
}

TEST_F(Sandboxed, WhatIsForbiddenEndsOneImage) {
  const TemporaryFolder folder;
  testing::writePng(folder / "good.png", {.width = 9, .height = 7}, [](int, int y, int x) { return x + y; });
  const Sandbox sandbox(madeUp());
  for (const std::string what : {"open", "socket", "fork", "exec", "kill", "unlink", "code"}) {
    EXPECT_THAT(attempt(folder, what), HasSubstr("made-up: makes its decoder do what --untrusted forbids"))
        << what;
    EXPECT_EQ(readImage(folder / "good.png").image.width(), 9) << what;
  }
  EXPECT_EQ(attempt(folder, "nothing"), "");
}

TEST_F(Sandboxed, SaysWhatEndedTheDecoder) {
  const TemporaryFolder folder;
  SandboxSettings settings = madeUp();
  settings.seconds = 0;
  const Sandbox sandbox(settings);
  EXPECT_THAT(attempt(folder, "time"),
              HasSubstr("made-up: takes more time to decode than --untrusted allows"));
  EXPECT_THAT(attempt(folder, "crash"),
              HasSubstr("made-up: ended the process that decodes it (Segmentation fault)"));
  EXPECT_THAT(attempt(folder, "memory"), HasSubstr("made-up: not enough memory"));
}

TEST_F(Sandboxed, BelievesNothing) {
  const TemporaryFolder folder;
  const Sandbox sandbox(madeUp());
  EXPECT_THAT(attempt(folder, "lie height"), HasSubstr("holds no pixels"));
  EXPECT_THAT(attempt(folder, "lie names"), HasSubstr("answer nonsense"));
  EXPECT_THAT(attempt(folder, "lie type"), HasSubstr("answer nonsense"));
  EXPECT_THAT(attempt(folder, "lie size"), HasSubstr("the limit is"));
}

/// The processes that this one has started.
std::vector<pid_t> children() {
  std::vector<pid_t> all;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(thread.path() / "children");
    for (pid_t child = 0; file >> child;) all.push_back(child);
  }
  return all;
}

TEST_F(Sandboxed, ADecoderThatIsKilledIsReplaced) {
  const TemporaryFolder folder;
  writeImage(folder / "a.npy", anyBits(1, 50, 40, ElementType::U8), FileFormat::Npy);
  const Image whole = readImage(folder / "a.npy").image;
  const Sandbox sandbox(madeUp());
  const auto source = openSource(folder / "a.npy");
  Image rows(1, 50, 40, ElementType::U8);
  source->readRows(0, 0, rows.plane(0));
  for (const pid_t child : children()) kill(child, SIGKILL);
  EXPECT_THAT(refusalOf([&] { source->readRows(0, 0, rows.plane(0)); }).sentence,
              HasSubstr("a.npy: is not decoded: what decodes it was killed"));
  EXPECT_TRUE(samePixels(readImage(folder / "a.npy").image, whole));
}

TEST_F(Sandboxed, ThreadsReadSideBySide) {
  const TemporaryFolder folder;
  const Image image = anyBits(3, 90, 80, ElementType::U16);
  writeImage(folder / "a.tif", image, FileFormat::Tiff);
  const Sandbox sandbox(madeUp());
  std::atomic<int> same{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int round = 0; round < 5; ++round)
          same += samePixels(readImage(folder / "a.tif").image, image) ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(same, 20);
  EXPECT_LE(children().size(), 8u);
}

TEST(Sandbox, WithoutItsProgramThereIsNone) {
  EXPECT_THAT(refusalOf([] { const Sandbox sandbox({.program = {"/nowhere/at/all"}}); }).sentence,
              HasSubstr("no process that decodes could be started"));
  EXPECT_EQ(Sandbox::current(), nullptr);
}

/// So long a decoder may compute from now on: more of it for more pixels, and what it has used is no part of
/// it.
TEST_F(Sandboxed, EveryRequestHasItsTime) {
  const TemporaryFolder folder;
  writeImage(folder / "a.npy", anyBits(1, 3000, 1000, ElementType::U8), FileFormat::Npy);
  SandboxSettings settings = madeUp();
  settings.seconds = 4000;
  const Sandbox sandbox(settings);
  EXPECT_EQ(readImage(folder / "a.npy").image.height(), 3000);
  const std::vector<pid_t> decoders = children();
  ASSERT_FALSE(decoders.empty());
  for (const pid_t decoder : decoders) {
    rlimit limit{};
    ASSERT_EQ(prlimit(decoder, RLIMIT_CPU, nullptr, &limit), 0);
    EXPECT_GE(limit.rlim_cur, 4001u);
    EXPECT_LE(limit.rlim_cur, 4020u);
  }
}

}  // namespace
}  // namespace bankside
