/// Whatever reads JSON refuses the same texts with the same words: one reader stands before all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/batch/journal_entry.h"
#include "core/batch/manifest.h"
#include "core/bench/bench_report.h"
#include "core/error.h"
#include "core/evaluate/evaluation_report.h"
#include "core/hash.h"
#include "core/imageio/atomic_file.h"
#include "core/run/recipe.h"
#include "core/text.h"
#include "filters/bank_json.h"
#include "kernels/cuda/single_channel/tuning_table.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using Read = std::function<void(const std::string& text)>;

/// As the first line of a manifest that is whole.
void readHead(const std::string& text) {
  const TemporaryFolder folder;
  Hash hash;
  hash.addBytes((text + "\n").data(), text.size() + 1);
  writeFileAtomically(folder / "m",
                      text + "\n{\"images\":0,\"hash\":\"" + formatHash(hash.value()) + "\"}\n");
  Manifest(folder / "m");
}

std::vector<std::pair<std::string, Read>> readers() {
  return {
      {"recipe", [](const std::string& text) { parseRecipe(text, "file"); }},
      {"bank", [](const std::string& text) { parseBankJson(text, "file"); }},
      {"tuning table", [](const std::string& text) { cuda::readTuningTable(text, "file"); }},
      {"report", [](const std::string& text) { readBenchReport(text, "file", ReportKind::Bench); }},
      {"device report", [](const std::string& text) { readBenchReport(text, "file", ReportKind::Device); }},
      {"evaluation", [](const std::string& text) { carriedThreshold(text, "file"); }},
      {"manifest", readHead},
      {"journal", [](const std::string& text) { parseJournalEntry(text, "file"); }}};
}

TEST(HostileJson, IsRefusedByEveryReader) {
  const std::pair<std::string, std::string> texts[] = {
      {std::string(80'000, '[') + std::string(80'000, ']'), "more than 8 levels of nesting"},
      {std::string(80'000, '['), "more than 8 levels of nesting"},
      {R"({"a": )" + std::string(80'000, '[') + std::string(80'000, ']') + "}",
       "more than 8 levels of nesting"},
      {R"({"a": {"b": 1, "b": 2}})", "found this key twice"},
      {R"({"a": ["b\u0000c"]})", "/a: found the character \\u0000"},
      {R"({"a\u0000": 1})", "found the character \\u0000"},
      {R"({"a": 1e400})", "number overflow"},
      {R"({"a": -1e400})", "number overflow"}};
  for (const auto& [name, read] : readers()) {
    for (const auto& [text, words] : texts) {
      try {
        read(text);
        ADD_FAILURE() << name << " takes " << text.substr(0, 40);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::BadInput) << name;
        // A manifest's first line is an object, or nobody reads on.
        const bool array = name == "manifest" && text.front() == '[';
        EXPECT_THAT(error.what(), ::testing::HasSubstr(array ? "is no manifest" : words)) << name;
        EXPECT_LT(std::string(error.what()).size(), 600u) << name;
      }
    }
  }
}

}  // namespace
}  // namespace bankside::testing
