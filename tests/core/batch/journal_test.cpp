#include "core/batch/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/batch/ledger.h"
#include "core/text_file.h"
#include "tests/support/made_images.h"
#include "tests/support/refusals.h"

namespace bankside::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Journals : public ::testing::Test {
 protected:
  Journals() {
    ManifestWriter writer(folder / "m.jsonl", ManifestHead{});
    for (int i = 0; i < 5; ++i) writer.add({.id = idOf(i), .bytes = 1, .modified = 1});
    writer.finish(Existing::Keep);
    manifest.emplace(folder / "m.jsonl");
  }
  static std::string idOf(std::int64_t number) { return std::to_string(number) + ".png"; }
  static JournalEntry entryOf(std::int64_t number, bool done, int attempt = 1) {
    JournalEntry entry{.number = number, .attempt = attempt, .done = done, .id = idOf(number)};
    if (done) entry.outputs = {{.file = idOf(number) + ".tiff", .bytes = 10, .hash = 77}};
    if (!done) entry.error = "is broken";
    return entry;
  }
  fs::path file() {
    for (const auto& entry : fs::directory_iterator(journalFolder(manifest->path()))) {
      if (entry.path().extension() == ".jsonl") return entry.path();
    }
    return {};
  }

  TemporaryFolder folder;
  std::optional<Manifest> manifest;
};

TEST_F(Journals, SayWhatBecameOfAnImageLast) {
  {
    JournalWriter one(*manifest, {0, 2});
    JournalWriter other(*manifest, {1, 2});
    one.append(entryOf(0, true));
    one.append(entryOf(1, false));
    other.append(entryOf(2, false));
    other.append(entryOf(2, true, 2));
  }
  JournalWriter(*manifest, {0, 1}).append(entryOf(1, true, 2));
  const Ledger ledger(*manifest);
  EXPECT_EQ(ledger.journals(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(ledger.done(i)) << i;
  EXPECT_EQ(ledger.attempts(2), 2);
  EXPECT_EQ(ledger.attempts(3), 0);
  EXPECT_EQ(ledger.doneTwice(), 0);
  EXPECT_EQ(ledger.read(0).outputs, entryOf(0, true).outputs);
  JournalWriter(*manifest, {0, 3}).append(entryOf(1, true, 2));
  EXPECT_EQ(Ledger(*manifest).doneTwice(), 1);
}

TEST_F(Journals, EntriesComeBackAsTheyWere) {
  JournalEntry entry = entryOf(4, false, 3);
  entry.errorClass = "io";
  entry.notes = {"a note", "\xff"};
  entry.pages = 2;
  entry.decodeSeconds = 0.25;
  entry.clippedValues = 9;
  entry.maxAbsError = 0.5;
  const JournalEntry back = parseJournalEntry(toLine(entry), "line");
  EXPECT_EQ(back.error, entry.error);
  EXPECT_EQ(back.errorClass, "io");
  EXPECT_EQ(back.notes.front(), "a note");
  EXPECT_EQ(back.pages, 2);
  EXPECT_EQ(back.decodeSeconds, 0.25);
  EXPECT_EQ(back.clippedValues, 9);
  EXPECT_EQ(back.maxAbsError, 0.5);
  EXPECT_FALSE(back.done);
}

/// A number that would come back as another one is none.
TEST_F(Journals, NumbersBeyondTheirFieldAreRefused) {
  const auto read = [](const std::string& number) {
    const std::string line = R"({"n":)" + number + R"(,"status":"done","id":"a.png","outputs":[]})";
    return sentenceOf([&] { parseJournalEntry(line, "line"); });
  };
  EXPECT_EQ(read("9223372036854775807"), "");
  EXPECT_EQ(read("3.0"), "");
  for (const char* number :
       {"9223372036854775808", "18446744073709551615", "-9.3e18", "1e30", "0.5", "\"1\""})
    EXPECT_THAT(read(number), HasSubstr("line: /n: found")) << number;
  EXPECT_THAT(
      sentenceOf([] {
        parseJournalEntry(R"({"n":0,"attempt":2147483648,"status":"done","id":"a","outputs":[]})", "line");
      }),
      HasSubstr("line: /attempt: found 2147483648, expected a whole number from -2147483648 to 2147483647"));
  const JournalEntry least = parseJournalEntry(R"({"status":"failed","id":"a","outputs":[]})", "line");
  EXPECT_EQ(least.number, 0);
  EXPECT_EQ(least.attempt, 1);
}

/// The same of a manifest, whose limit of pixels would else be none.
TEST_F(Journals, NumbersOfAManifestBeyondTheirFieldAreRefused) {
  const std::string text = readTextFile(folder / "m.jsonl");
  for (const auto& [key, number] :
       {std::pair{"\"max_pixels\":", "18446744073709551615"}, {"\"page\":", "4294967296"}}) {
    const std::size_t at = text.find(key) + std::string(key).size();
    std::string changed = text;
    changed.replace(at, text.find(',', at) - at, number);
    std::ofstream(folder / "c.jsonl") << changed;
    EXPECT_THAT(sentenceOf([&] { Manifest(folder / "c.jsonl"); }),
                HasSubstr(std::string("found ") + number + ", expected a whole number"));
  }
}

/// Wherever the last line ends, it counts for nothing, and the next run writes over it.
TEST_F(Journals, ATornLineCountsForNothing) {
  JournalWriter(*manifest, {0, 1}).append(entryOf(0, true));
  const std::string line = toLine(entryOf(1, true)) + "\n";
  const fs::path journal = file();
  const auto whole = fs::file_size(journal);
  for (std::size_t size = 1; size < line.size(); ++size) {
    fs::resize_file(journal, whole);
    std::ofstream(journal, std::ios::app) << line.substr(0, size);
    const Ledger torn(*manifest);
    EXPECT_TRUE(torn.done(0));
    EXPECT_FALSE(torn.done(1)) << size;
    EXPECT_EQ(torn.tornLines(), 1);
    JournalWriter(*manifest, {0, 1}).append(entryOf(2, true));
    const Ledger healed(*manifest);
    EXPECT_FALSE(healed.done(1));
    EXPECT_TRUE(healed.done(2));
    EXPECT_EQ(healed.tornLines() + healed.damagedLines(), 0);
  }
}

TEST_F(Journals, DamagedLinesAreCountedAndTheOthersHold) {
  JournalWriter(*manifest, {0, 1}).append(entryOf(0, true));
  std::ofstream(file(), std::ios::app) << "nonsense\n{\"n\":99,\"attempt\":1,\"status\":\"done\"}\n\n";
  JournalWriter(*manifest, {0, 1}).append(entryOf(1, true));
  const Ledger ledger(*manifest);
  EXPECT_TRUE(ledger.done(0) && ledger.done(1));
  EXPECT_EQ(ledger.damagedLines(), 3);
}

TEST_F(Journals, AShardIsOneRuns) {
  std::optional<JournalWriter> first;
  first.emplace(*manifest, Shard{1, 3});
  const auto refusal = [&](const Shard& shard) -> std::string {
    try {
      JournalWriter(*manifest, shard);
    } catch (const ShardTaken& taken) {
      return taken.what();
    }
    return "";
  };
  EXPECT_THAT(refusal({1, 3}), HasSubstr("another run has shard 1/3"));
  EXPECT_EQ(refusal({2, 3}), "");
  EXPECT_THAT(refusal({0, 4}), HasSubstr("is being run as 3 shards, not 4"));
  first.reset();
  EXPECT_EQ(refusal({1, 3}), "");
  EXPECT_EQ(refusal({0, 4}), "");
}

}  // namespace
}  // namespace bankside::testing
