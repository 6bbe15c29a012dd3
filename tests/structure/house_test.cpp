/// The house keeps its rules: every source file of the tree, looked at.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/structure/house_rules.h"

namespace bankside {
namespace {

namespace fs = std::filesystem;

const fs::path top = BANKSIDE_SOURCE_DIR;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Files of the source folders with one of the extensions, relative to the top.
std::vector<std::string> filesWith(const std::set<std::string>& extensions) {
  std::vector<std::string> files;
  for (const char* folder : {"core", "filters", "kernels", "library", "gui", "python", "tests"}) {
    if (!fs::exists(top / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(top / folder)) {
      if (entry.is_regular_file() && extensions.contains(entry.path().extension().string())) {
        files.push_back(entry.path().lexically_relative(top).generic_string());
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

const std::set<std::string> sourceExtensions = {".h", ".hpp", ".c", ".cpp", ".cu", ".cuh", ".def"};

TEST(House, IsThere) { EXPECT_GT(filesWith(sourceExtensions).size(), 30u); }

TEST(House, LayersSeeOnlyWhatTheyMay) {
  for (const std::string& path : filesWith(sourceExtensions)) {
    for (const std::string& included : includesOf(read(top / path)))
      EXPECT_EQ(layeringOffence(path, included), "");
  }
}

/// "core/image.h" names a file from the top; quotes reach nothing else of ours.
TEST(House, OurIncludesExist) {
  for (const std::string& path : filesWith(sourceExtensions)) {
    for (const std::string& included : includesOf(read(top / path))) {
      const std::string layer = included.substr(0, included.find('/'));
      if (layer == included ||
          !std::set<std::string>{"core", "filters", "kernels", "library", "gui", "python", "tests"}.contains(
              layer)) {
        continue;
      }
      // A header that CMake writes has its pattern beside it.
      EXPECT_TRUE(fs::exists(top / included) || fs::exists(top / (included + ".in")))
          << path << " includes " << included;
    }
  }
}

/// The graph of the product's units or rooms.
Graph graphOf(std::string (*nodeOf)(const std::string&)) {
  Graph graph;
  for (const std::string& path : filesWith(sourceExtensions)) {
    if (path.rfind("tests/", 0) == 0) continue;
    for (const std::string& included : includesOf(read(top / path))) {
      // Highway's "-inl.h" files are pieces of the one source that includes them, once a target.
      if (!fs::exists(top / included) || included.find("-inl.h") != std::string::npos) continue;
      if (nodeOf(path) != nodeOf(included)) graph[nodeOf(path)].insert(nodeOf(included));
    }
  }
  return graph;
}

TEST(House, UnitsFormNoCycle) { EXPECT_EQ(cycles(graphOf(unitOf)), std::vector<std::string>{}); }

TEST(House, RoomsFormNoCycle) { EXPECT_EQ(cycles(graphOf(roomOf)), std::vector<std::string>{}); }

/// So each header is compiled with nothing before it.
TEST(House, SourcesIncludeTheirOwnHeaderFirst) {
  for (const std::string& path : filesWith({".cpp"})) {
    const std::string header = fs::path(path).replace_extension(".h").generic_string();
    if (!fs::exists(top / header)) continue;
    const std::vector<std::string> included = includesOf(read(top / path));
    ASSERT_FALSE(included.empty()) << path;
    EXPECT_EQ(included.front(), header) << path;
  }
}

TEST(House, NamesSaySomething) {
  for (const std::string& path : filesWith(sourceExtensions)) EXPECT_EQ(nameOffence(path), "");
}

TEST(House, TextIsTidy) {
  std::set<std::string> all = sourceExtensions;
  all.insert({".txt", ".cmake", ".py", ".sh"});
  for (const std::string& path : filesWith(all)) {
    for (const std::string& offence : textOffences(path, read(top / path))) ADD_FAILURE() << offence;
  }
}

TEST(House, NobodyButKernelsNamesAnEngine) {
  std::set<std::string> all = sourceExtensions;
  all.insert({".bash", ".in"});
  for (const std::string& path : filesWith(all)) {
    for (const std::string& offence : engineNameOffences(path, read(top / path))) ADD_FAILURE() << offence;
  }
}

TEST(House, WhatTheWindowSaysCanBeTranslated) {
  for (const std::string& path : filesWith({".h", ".cpp"})) {
    for (const std::string& offence : untranslatedOffences(path, read(top / path))) ADD_FAILURE() << offence;
  }
}

TEST(House, FoldersAreReadInOnePlace) {
  for (const std::string& path : filesWith({".h", ".cpp"})) {
    for (const std::string& offence : folderOffences(path, read(top / path))) ADD_FAILURE() << offence;
  }
}

TEST(House, WhatCoreSaysIsShownThroughOneGate) {
  for (const std::string& path : filesWith({".h", ".cpp"})) {
    for (const std::string& offence : coreSentenceOffences(path, read(top / path))) ADD_FAILURE() << offence;
  }
}

/// A source that a row of a table names, as CMake reads them: a codec or its test, a bank.
bool hasARow(const std::string& path) {
  const auto names = [](const char* table, const std::string& end) {
    return read(top / table).find(end + ")\n") != std::string::npos;
  };
  static const std::regex codec("(tests/)?core/imageio/image_([a-z0-9]+?)(_test)?[.]cpp");
  static const std::regex bank("filters/([a-z_]+)/([a-z_]+)[.]cpp");
  std::smatch match;
  if (std::regex_match(path, match, codec)) {
    const std::string word = match[2];
    return names("core/imageio/formats.def", ", " + word) || names("core/imageio/formats.def", "(" + word);
  }
  if (!std::regex_match(path, match, bank)) return false;
  const std::string row = "BANKSIDE_BANK(" + match[1].str() + ", " + match[2].str() + ", ";
  return read(top / "filters/taps/banks.def").find(row) != std::string::npos;
}

/// Source lists are explicit, so that a file that nobody builds would go unseen.
TEST(House, EverySourceIsInACMakeListOrATable) {
  for (const std::string& path : filesWith({".cpp", ".cu"})) {
    const std::string name = fs::path(path).filename().string();
    bool listed = hasARow(path);
    for (fs::path folder = fs::path(path).parent_path(); !folder.empty() && !listed;
         folder = folder.parent_path()) {
      const fs::path list = top / folder / "CMakeLists.txt";
      listed = fs::exists(list) && read(list).find(name) != std::string::npos;
    }
    EXPECT_TRUE(listed) << path << " is in no CMakeLists.txt and no table";
  }
}

}  // namespace
}  // namespace bankside
