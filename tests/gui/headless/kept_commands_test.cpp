// The command of a kept report measures it again: today's command line has to take it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/text.h"
#include "gui/headless/command_line.h"

namespace bankside::testing {
namespace {

/// Words as a shell sees them; in kept commands only single quotes quote.
std::vector<std::string> wordsOf(const std::string& command) {
  std::vector<std::string> words;
  bool quoted = false;
  bool inWord = false;
  for (const char c : command) {
    if (c == '\'') {
      quoted = !quoted;
      if (!inWord) words.emplace_back();
      inWord = true;
    } else if (c == ' ' && !quoted) {
      inWord = false;
    } else {
      if (!inWord) words.emplace_back();
      inWord = true;
      words.back() += c;
    }
  }
  return words;
}

/// The exit code of a command line that is not taken, with what is said in `error`; else nothing.
std::optional<int> refused(std::vector<std::string> words, std::string& error) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  ::testing::internal::CaptureStderr();
  const headless::Command command = headless::parseCommandLine(static_cast<int>(argv.size()), argv.data());
  error = ::testing::internal::GetCapturedStderr();
  const auto* const finished = std::get_if<headless::Finished>(&command);
  return finished == nullptr ? std::nullopt : std::optional(finished->exitCode);
}

TEST(KeptCommands, AreTakenToday) {
  int taken = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(BANKSIDE_RESULTS_DIR)) {
    if (entry.path().extension() != ".json") continue;
    const auto kept = nlohmann::json::parse(std::ifstream(entry.path()));
    for (const std::string& command : split(kept.value("command", ""), '\n')) {
      const std::vector<std::string> words = wordsOf(command);
      if (words.empty() || words.front() != "bankside") continue;
      std::string error;
      EXPECT_EQ(refused(words, error), std::nullopt) << entry.path() << ": " << error;
      ++taken;
    }
  }
  EXPECT_GT(taken, 50);
}

TEST(KeptCommands, AnOptionThatIsGoneIsNotTaken) {
  std::string error;
  EXPECT_EQ(refused(wordsOf("bankside bench cpu --svg 'a b.svg'"), error), 2);
}

}  // namespace
}  // namespace bankside::testing
