#include <iostream>
#include <string>

#include "core/text.h"
#include "gui/headless/command_line.h"
#include "tests/fuzz/parsers.h"

namespace bankside::fuzz {
namespace {

/// Nothing of what it says is shown.
class Silence {
 public:
  Silence() : out_(std::cout.rdbuf(nullptr)), err_(std::cerr.rdbuf(nullptr)) {}
  ~Silence() {
    std::cout.rdbuf(out_);
    std::cerr.rdbuf(err_);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  std::streambuf* out_;
  std::streambuf* err_;
};

/// A word a line.
void readCommandLine(Bytes bytes) {
  std::vector<std::string> words = {"bankside"};
  for (const std::string& word :
       split(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()), '\n'))
    words.push_back(word);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const Silence silence;
  headless::parseCommandLine(static_cast<int>(words.size()), arguments.data());
}

}  // namespace

const std::vector<Parser>& commandLineParsers() {
  static const std::vector<Parser> list = {{"command-line", answered<readCommandLine>}};
  return list;
}

}  // namespace bankside::fuzz
