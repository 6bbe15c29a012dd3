#include "core/batch/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/batch/audit.h"
#include "core/batch/batch_report.h"
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

TEST_F(Journals, EveryFieldOfAnEntryComesBack) {
  JournalEntry entry = entryOf(4, true, 3);
  entry.outputs.push_back({.file = "second.tiff", .bytes = 11});
  entry.notes = {"a note", "another"};
  entry.engine = "cpu:direct";
  entry.pages = 2;
  entry.decodeSeconds = 0.25;
  entry.filterSeconds = 1.5;
  entry.encodeSeconds = 3e-6;
  entry.clippedValues = 9;
  entry.nonFiniteValues = 8;
  entry.maxAbsError = 0.5;
  const JournalEntry back = parseJournalEntry(toLine(entry), "line");
  EXPECT_EQ(back.number, 4);
  EXPECT_EQ(back.attempt, 3);
  EXPECT_TRUE(back.done);
  EXPECT_EQ(back.id, entry.id);
  EXPECT_EQ(back.outputs, entry.outputs);
  EXPECT_EQ(back.notes, entry.notes);
  EXPECT_EQ(back.engine, "cpu:direct");
  EXPECT_EQ(back.filterSeconds, 1.5);
  EXPECT_EQ(back.encodeSeconds, 3e-6);
  EXPECT_EQ(back.nonFiniteValues, 8);
  EXPECT_THAT(toLine(entryOf(0, true)), ::testing::Not(HasSubstr("_values")))
      << "nothing of what is not there";
  EXPECT_THAT(toLine(entryOf(0, true)), ::testing::Not(HasSubstr("error")));
}

/// An earlier attempt that is read later changes nothing, and a line may be as long as its error.
TEST_F(Journals, TheLastAttemptIsReadWhereverItStands) {
  JournalEntry last = entryOf(3, false, 2);
  last.error = std::string(5000, 'x');
  JournalWriter(*manifest, {0, 1}).append(last);
  JournalWriter(*manifest, {0, 2}).append(entryOf(3, true, 1));
  JournalWriter(*manifest, {1, 2}).append(entryOf(3, true, 1));
  const Ledger ledger(*manifest);
  EXPECT_EQ(ledger.attempts(3), 2);
  EXPECT_FALSE(ledger.done(3));
  EXPECT_EQ(ledger.read(3).error, last.error);
  EXPECT_EQ(ledger.damagedLines(), 0);
}

/// An image for each of most things that can go wrong.
class Audits : public Journals {
 protected:
  void put(const std::string& file, std::size_t bytes) {
    fs::create_directories((folder / "out" / file).parent_path());
    std::ofstream(folder / "out" / file) << std::string(bytes, 'x');
  }
  Audit look(bool content = false) {
    return audit(*manifest, Ledger(*manifest), folder / "in", folder / "out", content);
  }
};

TEST_F(Audits, FindEverythingThatIsNotAsItShouldBe) {
  {
    JournalWriter journal(*manifest, {0, 1});
    for (int i = 0; i < 4; ++i) {
      JournalEntry entry = entryOf(i, i != 1);
      if (i == 3) entry.outputs = {{.file = "0.png.tiff", .bytes = 11}};
      journal.append(entry);
    }
  }
  put("0.png.tiff", 10);
  put("x.png", 1);
  put("x.txt", 1);
  put("sub/z.tiff", 1);
  put(".y.png.1.part", 1);
  std::ofstream(file(), std::ios::app) << "nonsense\n";
  Audit found = look();
  EXPECT_FALSE(found.clean());
  EXPECT_EQ(toText(found),
            "done 1 of 5 images, 3 results\nuntried: 1\n  4.png\nfailed: 1\n  1.png: is broken\n"
            "missing: 1\n  2.png\ntorn: 1\n  3.png\nduplicate: 1\nunexpected: 2\n  x.png\n  sub/z.tiff\n"
            "part: 1\n  .y.png.1.part\ndamaged: 1\n");
  const std::string json = toJson(found, *manifest);
  for (const char* line : {R"("clean": false)", R"("images": 5)", R"("done": 1)", R"("results": 3)",
                           R"("untried": 1)", R"("unexpected": 2)", R"("stale": 0)", R"("damaged": 1)",
                           R"("finding": "torn")", R"("what": "sub/z.tiff")"})
    EXPECT_THAT(json, HasSubstr(line));

  fs::create_directories(folder / "in");
  std::ofstream(folder / "in" / "0.png") << "of later";
  found = look();
  EXPECT_EQ(found.done, 0);
  EXPECT_EQ(found.count(Finding::Stale), 1);
}

TEST_F(Audits, AreCleanWhereNothingIsFound) {
  {
    JournalWriter journal(*manifest, {0, 1});
    for (int i = 0; i < 5; ++i) {
      put(idOf(i) + ".tiff", 10);
      JournalEntry entry = entryOf(i, true);
      entry.outputs[0].hash = hashOfFile(folder / "out" / (idOf(i) + ".tiff"));
      journal.append(entry);
    }
  }
  EXPECT_EQ(toText(look(true)), "done 5 of 5 images, 5 results: clean\n");
  EXPECT_THAT(toJson(look(), *manifest), HasSubstr(R"("clean": true)"));
  std::ofstream(folder / "out" / "2.png.tiff") << "0123456789";
  EXPECT_TRUE(look().clean()) << "as long as it was";
  EXPECT_EQ(look(true).count(Finding::Torn), 1) << "but not the same bytes";
  JournalWriter(*manifest, {0, 3}).append(entryOf(1, true));
  EXPECT_EQ(look().count(Finding::Duplicate), 1) << "done by two runs";
  EXPECT_FALSE(look().clean());
}

TEST_F(Audits, NameTheFirstTwentyOfAKind) {
  for (const int count : {20, 21}) {
    ManifestWriter writer(folder / "many.jsonl", ManifestHead{});
    for (int i = 0; i < count; ++i)
      writer.add({.id = "image" + std::to_string(100 + i) + ".png", .bytes = 1, .modified = 1});
    writer.finish(Existing::Replace);
    manifest.emplace(folder / "many.jsonl");
    const Audit found = look();
    EXPECT_EQ(found.examples.size(), 20u);
    EXPECT_EQ(toText(found).ends_with("image119.png\n  ...\n"), count == 21) << toText(found);
  }
}

TEST_F(Journals, AreMergedIntoOneReport) {
  {
    JournalWriter journal(*manifest, {0, 1});
    JournalEntry first = entryOf(0, true);
    first.outputs.push_back({.file = "second.tiff", .bytes = 2'400'000});
    first.engine = "cpu:direct";
    first.pages = 2;
    first.decodeSeconds = 0.25;
    first.filterSeconds = 0.5;
    first.encodeSeconds = 0.125;
    first.clippedValues = 3;
    first.nonFiniteValues = 2;
    first.maxAbsError = 0.5;
    first.notes = {"grey", "turned"};
    journal.append(first);
    JournalEntry second = entryOf(1, false, 2);
    second.errorClass = "io";
    journal.append(second);
    JournalEntry third = entryOf(2, true);
    third.engine = "cpu:fft";
    third.clippedValues = 4;
    third.nonFiniteValues = 1;
    third.decodeSeconds = 1;
    third.filterSeconds = 2;
    third.encodeSeconds = 4;
    third.maxAbsError = 0.75;
    third.notes = {"grey"};
    journal.append(third);
  }
  std::ofstream(file(), std::ios::app) << R"({"n":4,"attempt":1,"status":"done"})"
                                       << "\n";
  std::string csv;
  const BatchReport report =
      mergeJournals(*manifest, Ledger(*manifest), [&](const std::string& line) { csv += line; });
  EXPECT_EQ(csv,
            "id,status,attempt,error,class,results,result_bytes,engine,pages,decode_us,filter_us,encode_us,"
            "clipped_values,non_finite_values,max_abs_error,notes\n"
            "0.png,done,1,,,2,2400010,cpu:direct,2,250000,500000,125000,3,2,0.5,grey; turned\n"
            "1.png,failed,2,is broken,io,0,0,,0,0,0,0,0,0,,\n"
            "2.png,done,1,,,1,10,cpu:fft,0,1000000,2000000,4000000,4,1,0.75,grey\n"
            "3.png,untried,0,,,0,0,,0,,,,,,,\n4.png,untried,0,,,0,0,,0,,,,,,,\n");
  EXPECT_EQ(toText(report),
            "done 2 of 5 images, failed 1, untried 2; 3 results, 2.4 MB\n"
            "engines: cpu:direct 1 cpu:fft 1 (their last bits may differ)\n"
            "2 images: grey\n1 image: turned\n"
            "verified 2 of 5 images, largest error 0.75 in 2.png\n"
            "1 line of journals cannot be read; their images count as untried\n");
  const auto json = nlohmann::json::parse(toJson(report, *manifest, "a command"));
  for (const auto& [key, number] : std::map<std::string, int>{{"images", 5},
                                                              {"done", 2},
                                                              {"failed", 1},
                                                              {"untried", 2},
                                                              {"results", 3},
                                                              {"result_bytes", 2400020},
                                                              {"decode_us", 1250000},
                                                              {"filter_us", 2500000},
                                                              {"encode_us", 4125000},
                                                              {"clipped_values", 7},
                                                              {"non_finite_values", 3},
                                                              {"verified", 2},
                                                              {"journals", 1},
                                                              {"damaged_lines", 1},
                                                              {"schema_version", 1}})
    EXPECT_EQ(json.at(key), number) << key;
  EXPECT_EQ(json["command"], "a command");
  EXPECT_EQ(json["engines"]["cpu:fft"], 1);
  EXPECT_EQ(json["worst"][0]["id"], "2.png");
  EXPECT_EQ(json["worst"][1]["max_abs_error"], 0.5);
  const nlohmann::json failure = {{"id", "1.png"}, {"error", "is broken"}, {"class", "io"}, {"attempt", 2}};
  EXPECT_EQ(json["failures"], nlohmann::json::array({failure}));
  EXPECT_EQ(json["manifest"], (folder / "m.jsonl").string());
}

}  // namespace
}  // namespace bankside::testing
