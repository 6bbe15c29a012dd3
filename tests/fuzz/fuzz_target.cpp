// What clang's libFuzzer calls. The program's own name says which parser reads: fuzz-picture, fuzz-recipe ...
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/fuzz/parsers.h"

namespace {

const bankside::fuzz::Parser* parser = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char*** arguments) {
  const std::string name = std::filesystem::path((*arguments)[0]).filename();
  for (const bankside::fuzz::Parser& each : bankside::fuzz::BANKSIDE_PARSERS())
    if (name == std::string("fuzz-") + each.name) parser = &each;
  if (parser == nullptr) {
    std::fprintf(stderr, "%s: no parser has this name\n", name.c_str());
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  parser->read(std::as_bytes(std::span(data, size)));
  return 0;
}
