/// Every seed, what fuzzers have found, and damaged copies of both: an answer or an error of ours, never a
/// crash.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "tests/fuzz/parsers.h"
#include "tests/support/test_names.h"

namespace bankside::fuzz {
namespace {

constexpr int damagedCopies = 200;

std::vector<char> contentOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Bytes changed, pieces doubled or left out, the end cut off.
std::vector<char> damaged(std::vector<char> bytes, std::mt19937& random) {
  for (unsigned changes = 1 + random() % 4; changes > 0 && !bytes.empty(); --changes) {
    const auto at = static_cast<std::ptrdiff_t>(random() % bytes.size());
    const auto most = static_cast<std::ptrdiff_t>(bytes.size()) - at;
    const auto count = 1 + static_cast<std::ptrdiff_t>(random()) % std::min<std::ptrdiff_t>(most, 16);
    const auto first = bytes.begin() + at;
    switch (random() % 4) {
      case 0: *first = static_cast<char>(random()); break;
      case 1: {
        const std::vector<char> piece(first, first + count);
        bytes.insert(first, piece.begin(), piece.end());
        break;
      }
      case 2: bytes.erase(first, first + count); break;
      default: bytes.resize(static_cast<std::size_t>(at)); break;
    }
  }
  return bytes;
}

std::vector<Parser> everyParser() {
  std::vector<Parser> all = parsers();
  all.insert(all.end(), commandLineParsers().begin(), commandLineParsers().end());
  return all;
}

class Seeds : public ::testing::TestWithParam<std::string> {};

TEST_P(Seeds, AreAnswered) {
  const auto all = everyParser();
  const Parser& parser =
      *std::find_if(all.begin(), all.end(), [](const Parser& p) { return p.name == GetParam(); });
  // All options of all commands are made anew for every command line.
  const int copies = GetParam() == "command-line" ? damagedCopies / 10 : damagedCopies;
  std::mt19937 random(1);
  int seeds = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(BANKSIDE_SEEDS_DIR) + "/" + GetParam())) {
    ++seeds;
    const std::vector<char> seed = contentOf(entry.path());
    parser.read(std::as_bytes(std::span(seed)));
    for (int i = 0; i < copies; ++i) {
      const std::vector<char> copy = damaged(seed, random);
      parser.read(std::as_bytes(std::span(copy)));
    }
  }
  EXPECT_GT(seeds, 0);
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const Parser& parser : everyParser()) list.emplace_back(parser.name);
  return list;
}

INSTANTIATE_TEST_SUITE_P(All, Seeds, ::testing::ValuesIn(names()), testing::byItsText);

}  // namespace
}  // namespace bankside::fuzz
