/// What the program is started with: descriptors, limits, signals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "core/imageio/image_io.h"
#include "core/imageio/part_file.h"
#include "gui/headless/signals.h"
#include "tests/core/imageio/image_files.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using ::testing::HasSubstr;

class Process : public ::testing::Test {
 protected:
  Process() { writeImage(image, integerImage(1, 40, 50, ElementType::U8), FileFormat::Png); }

  TemporaryFolder folder;
  std::string image = folder / "grey.png";
  std::string output = folder / "out";
};

TEST_F(Process, NoFileTakesThePlaceOfAClosedStream) {
  const std::vector<std::string> words = {"filter",        image,       "--bank", "sobel",
                                          "--no-progress", "--threads", "1",      "-o"};
  const auto into = [&](const std::string& to) {
    auto all = words;
    all.push_back(to);
    return all;
  };
  ASSERT_EQ(bankside(into(output)).exitCode, 0);
  const std::vector<int> streams[] = {{STDOUT_FILENO},
                                      {STDERR_FILENO},
                                      {STDIN_FILENO, STDOUT_FILENO},
                                      {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}};
  for (const std::vector<int>& some : streams) {
    const std::filesystem::path closed =
        folder / ("closed" + std::to_string(some.size()) + std::to_string(some.front()));
    const Outcome run = banksideAfter(
        [&] {
          for (const int stream : some) close(stream);
        },
        into(closed));
    EXPECT_EQ(run.exitCode, 0);
    ASSERT_EQ(filesIn(closed), filesIn(output));
    for (const std::string& name : filesIn(output))
      EXPECT_EQ(fileText(closed / name), fileText(std::filesystem::path(output) / name)) << name;
  }
}

TEST_F(Process, AFileThatNobodyWritesEndsWithTheFirstSignal) {
  const std::string pipe = folder / "pipe.json";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) {
    for (const std::string option : {"--bank", "--recipe"}) {
      const Outcome run =
          banksideKilled({"filter", image, option, pipe, "-o", output}, signal, [] { return true; });
      EXPECT_EQ(run.exitCode, 128 + signal) << option << run.err;
      EXPECT_TRUE(filesIn(output).empty());
    }
  }
}

/// What oneTBB would load as its first threads start: where all memory has ended by then, the system's dlopen
/// ends the program.
TEST_F(Process, NoLibraryIsLoadedForTheFirstThreads) {
  const Outcome loaded = banksideAfter([] { setenv("LD_TRACE_LOADED_OBJECTS", "1", 1); }, {});
  EXPECT_EQ(loaded.exitCode, 0);
  EXPECT_THAT(loaded.out, HasSubstr("libtbbmalloc.so"));
}

/// Less and less memory for the addresses of the program and its threads, until it does not even load. Where
/// a page cannot even be told, the account says that it is missing, and why.
TEST_F(Process, WantOfMemoryAndThreadsIsSaid) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take terabytes of addresses";
#endif
  int wanting = 0;
  for (std::uint64_t bytes = 128 << 20; bytes > 0; bytes -= 2 << 20) {
    const Outcome run = banksideAfter([&] { limitTo(RLIMIT_AS, bytes); },
                                      {"filter", image, "--bank", "sobel", "--threads", "4", "-o",
                                       folder / ("out" + std::to_string(bytes)), "--no-progress"});
    if (run.exitCode == 127) break;  // the loader's, whose own sentence it is
    SCOPED_TRACE(std::to_string(bytes) + " bytes: " + run.err);
    ASSERT_THAT(run.exitCode, ::testing::AnyOf(0, 1, 3, 75));
    if (run.exitCode == 0) continue;
    if (run.exitCode == 1) {
      EXPECT_THAT(run.err, HasSubstr("the run broke off: "));
    }
    ++wanting;
    EXPECT_THAT(run.err, ::testing::AnyOf(HasSubstr("not enough memory"), HasSubstr("no more threads"),
                                          HasSubstr("no memory for an image")));
  }
  EXPECT_GT(wanting, 0);
}

/// A thread sets no addresses aside that its images then lack: what is enough once is enough with more.
TEST_F(Process, MoreMemoryIsNeverLess) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take terabytes of addresses";
#endif
  const std::filesystem::path in = folder / "in";
  std::filesystem::create_directory(in);
  for (int i = 0; i < 6; ++i)
    writeImage(in / (std::to_string(i) + ".png"), randomImage(1, 1000, 1000, ElementType::U8),
               FileFormat::Png);
  constexpr std::uint64_t step = 4 << 20;
  std::uint64_t enough = 0;
  for (std::uint64_t bytes = 100 << 20; enough == 0 || bytes < enough + 40 * step; bytes += step) {
    const Outcome run = banksideAfter(
        [&] { limitTo(RLIMIT_AS, bytes); },
        {"filter", in, "--bank", "sobel", "--threads", "2", "-o", output, "--force", "--no-progress"});
    if (run.exitCode == 0 && enough == 0) enough = bytes;
    if (enough == 0) {
      ASSERT_LT(bytes, std::uint64_t{4} << 30) << run.err;
      continue;
    }
    // Just above that, it is still by chance what threads ask for at the same time.
    if (bytes >= enough + 10 * step) {
      ASSERT_EQ(run.exitCode, 0) << bytes << ": " << run.err;
    }
  }
}

TEST_F(Process, WantOfOpenFilesIsAnotherTrys) {
  const Outcome run =
      banksideAfter([] { limitTo(RLIMIT_NOFILE, 8); },
                    {"filter", image, "--bank", "sobel", "--threads", "1", "-o", output, "--no-progress"});
  EXPECT_EQ(run.exitCode, 75) << run.err;
}

/// Every result of a run in bands is open until its end.
TEST_F(Process, ManyResultsNeedManyOpenFiles) {
  const auto run = [&](std::uint64_t soft, std::uint64_t hard) {
    return banksideAfter(
        [&] {
          const rlimit limit{soft, hard};
          setrlimit(RLIMIT_NOFILE, &limit);
        },
        {"filter", image, "--bank", "vessel-matched:orientations=150", "--memory", "128K", "-o", output});
  };
  const Outcome few = run(100, 100);
  EXPECT_EQ(few.exitCode, 75);
  EXPECT_THAT(few.err,
              HasSubstr("150 results would be written at the same time, and the system lets 100 files "
                        "be open; allow more with ulimit -n, or give more --memory"));
  EXPECT_TRUE(filesIn(output).empty());
  const Outcome raised = run(100, 1000);
  EXPECT_EQ(raised.exitCode, 0) << raised.err;
  EXPECT_EQ(filesIn(output).size(), 150u);
}

TEST_F(Process, NamesDoNotSteerTheTerminal) {
  const std::string odd = folder / "a\x1b[2J\xff\nb.png";
  std::filesystem::copy_file(image, odd);
  std::ofstream(folder / "c\rd.png") << "no picture";
  const Outcome run = bankside({"filter", odd, folder / "c\rd.png", "--bank", "sobel", "-o", output});
  EXPECT_EQ(run.exitCode, 3);
  EXPECT_THAT(run.out, HasSubstr("a\\x1b[2J\\xff\\x0ab.png: 2 files"));
  EXPECT_THAT(run.err, HasSubstr("c\\x0dd.png: is not an image"));
  const Outcome bank = bankside({"filter", image, "--bank", "\x1b[2J", "-o", output});
  EXPECT_THAT(bank.err, HasSubstr("\"\\x1b[2J\""));
}

TEST_F(Process, OneOddNameDoesNotLoseAFolder) {
  const std::filesystem::path in = folder / "in";
  std::filesystem::create_directory(in);
  std::filesystem::copy_file(image, in / "good.png");
  std::filesystem::create_symlink("circle.png", in / "circle.png");
  std::filesystem::create_symlink("nowhere", in / "dangling.png");
  ASSERT_EQ(mkfifo((in / "pipe.png").c_str(), 0600), 0);
  const std::string longName = std::string(300, 'n') + ".png";
  const Outcome run = bankside({"filter", in, folder / longName, "--bank", "sobel", "-o", output});
  EXPECT_EQ(run.exitCode, 3);
  for (const std::string sentence :
       {"circle.png: cannot open: Too many levels", "dangling.png: cannot open: No such file",
        "pipe.png: is not a regular file", "n.png: File name too long", "4 of 5 images failed"})
    EXPECT_THAT(run.err, HasSubstr(sentence));
  EXPECT_EQ(filesIn(output).size(), 2u);
}

/// Every one of the eight large pictures takes far longer than the signal, and none of them may appear.
TEST_F(Process, StopsWhileLargePicturesAreWritten) {
  writeImage(folder / "large.png", randomImage(1, 3500, 3500, ElementType::U8), FileFormat::Png);
  const auto someoneWrites = [&] {
    for (const std::string& name : filesIn(output))
      if (name.ends_with(".part")) return true;
    return false;
  };
  for (const std::string memory : {"4G", "32M"}) {
    for (const std::string threads : {"1", "2"}) {
      const Outcome run =
          banksideKilled({"filter", folder / "large.png", "--bank", "kirsch", "--format", "png", "--map",
                          "clip", "--memory", memory, "--threads", threads, "-o", output},
                         SIGTERM, someoneWrites);
      EXPECT_EQ(run.exitCode, 143) << run.err;
      EXPECT_EQ(filesIn(output), std::vector<std::string>{}) << memory;
      EXPECT_EQ(run.out, "");
    }
  }
}

TEST_F(Process, PhantomStops) {
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) {
    const Outcome run = banksideKilled({"phantom", "--size", "4096", "-o", output}, signal,
                                       [&] { return std::filesystem::exists(output); });
    EXPECT_EQ(run.exitCode, 128 + signal) << run.err;
    EXPECT_EQ(filesIn(output), std::vector<std::string>{});
  }
}

TEST_F(Process, ThePagesOfAFileAreFoundOnce) {
  const int pages = 300;
  std::string all;
  for (int i = 0; i < pages; ++i) all += "P5 1 1 255\nA";
  std::ofstream(folder / "stack.pgm") << all;
  for (const std::string channel : {"auto", "pages"}) {
    const Outcome run = bankside({"filter", folder / "stack.pgm", "--bank", "box:size=3", "--channel",
                                  channel, "-o", folder / channel});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    ASSERT_GE(run.reads, 0);
    EXPECT_LT(run.reads, 2000 + 10 * pages);
  }
}

TEST_F(Process, TheLimitOnPixelsNamesItsOption) {
  const std::vector<std::string> words = {"filter", image, "--bank", "sobel", "-o", output, "--max-pixels"};
  const auto with = [&](const std::string& most) {
    auto all = words;
    all.push_back(most);
    return bankside(all);
  };
  const Outcome run = with("1999");
  EXPECT_EQ(run.exitCode, 3);
  EXPECT_THAT(run.err,
              HasSubstr("has 50 x 40 pixels, more than the limit of 1999; --max-pixels allows more"));
  EXPECT_EQ(with("2000").exitCode, 0);
  EXPECT_THAT(bankside({"compare", image, "--bank", "sobel", "--max-pixels", "1999"}).err,
              HasSubstr("--max-pixels"));
}

/// Its pixels are all alike, so that the file is small, and 100 MB would be what they take.
/// Sanitizers keep what was freed.
void expectMostMemory(const Outcome& run, std::int64_t bytes, const std::string& what) {
  EXPECT_GT(run.peakBytes, 0) << what;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LT(run.peakBytes, bytes) << what;
#else
  static_cast<void>(bytes);
#endif
}

TEST_F(Process, APictureLargerThanTheMemoryComesInRows) {
  writeImage(folder / "large.png", Image(1, 10000, 10000, ElementType::U8), FileFormat::Png);
  const Outcome run = bankside({"filter", folder / "large.png", "--bank", "box:size=3", "--memory", "16M",
                                "--threads", "1", "--format", "png", "--map", "clip", "-o", output});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  expectMostMemory(run, 90'000'000, "large.png");
}

TEST_F(Process, WhatCannotComeInRowsIsNotReadBeyondTheMemory) {
  const auto black = [](int, int, int) { return 0; };
  writePng(folder / "a.png", {.width = 5000, .height = 5000, .interlaced = true}, black);
  writeJpeg(folder / "b.jpg", {.width = 5000, .height = 5000, .progressive = true}, black);
  for (const char* name : {"a.png", "b.jpg"}) {
    const Outcome run =
        bankside({"filter", folder / name, "--bank", "box:size=3", "--memory", "16M", "-o", output});
    EXPECT_EQ(run.exitCode, 3) << name;
    EXPECT_THAT(run.err, HasSubstr("bankside filter --memory allows more"));
    expectMostMemory(run, 90'000'000, name);
  }
}

TEST_F(Process, AFileWithoutAPageIsOneFailure) {
  const std::filesystem::path file = folder / "none.tif";
  std::ofstream(file, std::ios::binary).write("II*\0\0\0\0\0", 8);
  const Outcome run =
      banksideAfter([] { limitTo(RLIMIT_CPU, 10); },
                    {"filter", file, image, "--bank", "sobel", "--no-progress", "-o", output});
  EXPECT_EQ(run.exitCode, 3);
  EXPECT_EQ(run.err.find("none.tif: has no page"), run.err.rfind("none.tif: has no page")) << run.err;
  EXPECT_THAT(run.err, HasSubstr("none.tif: has no page"));
}

TEST_F(Process, FilesWithoutAnEndAreRefused) {
  const Outcome recipe = bankside({"filter", image, "--recipe", "/dev/zero", "-o", output});
  EXPECT_EQ(recipe.exitCode, 2);
  EXPECT_THAT(recipe.err, HasSubstr("/dev/zero: larger than the 1 MiB"));
  std::filesystem::create_symlink("/dev/zero", folder / "bank.json");
  const Outcome bank = bankside({"filter", image, "--bank", folder / "bank.json", "-o", output});
  EXPECT_EQ(bank.exitCode, 2);
  EXPECT_THAT(bank.err, HasSubstr("bank.json: larger than the 64 MiB"));
  std::filesystem::create_symlink("/dev/zero", folder / "bank.csv");
  const std::vector<std::vector<std::string>> others = {
      {"banks", "show", folder / "bank.csv"},
      {"bench", "cpu", "--with-rows", "/dev/zero"},
      {"batch", "run", "--manifest", "/dev/zero"},
      {"evaluate", "--images", image, "--truth", image, "--bank", "laplacian", "--threshold-from",
       "/dev/zero"}};
  for (const auto& words : others) {
    const Outcome run = bankside(words);
    EXPECT_THAT(run.exitCode, ::testing::AnyOf(2, 42)) << run.err;
    EXPECT_THAT(run.err,
                ::testing::AnyOf(HasSubstr(": larger than the "), HasSubstr("is not a regular file")));
    expectMostMemory(run, 300'000'000, words[0]);
  }
}

/// A library may have threads of its own before `main` begins (OpenBLAS has): they block nothing.
TEST(ProcessDeathTest, ASignalThatALibrarysThreadGetsIsAStopToo) {
  const auto ends = [] {
    std::thread library([] {
      for (;;) ::pause();
    });
    const headless::SignalWatch watch;
    pthread_kill(library.native_handle(), SIGTERM);
    while (!watch.token().stop_requested()) std::this_thread::yield();
    _exit(headless::SignalWatch::exitCode());
  };
  EXPECT_EXIT(ends(), ::testing::ExitedWithCode(143), "");
}

/// As OpenCV does, which nobody can ask to stop.
TEST(ProcessDeathTest, WhatDoesNotStopIsEndedWithoutAnythingHalfWritten) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "result.tiff";
  const auto goesOn = [&] {
    const headless::SignalWatch watch;
    PartFile part;
    if (part.open(file) != 0) _exit(1);
    kill(getpid(), SIGTERM);
    for (;;) ::pause();
  };
  EXPECT_EXIT(goesOn(), ::testing::ExitedWithCode(143), "stopped; nothing half-written");
  EXPECT_EQ(filesIn(folder / ""), std::vector<std::string>{});
}

}  // namespace
}  // namespace bankside::testing
