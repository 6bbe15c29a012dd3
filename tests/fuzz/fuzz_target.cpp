// One program a parser: clang's libFuzzer calls it, BANKSIDE_PARSER says which.
#include <cstdint>

#include "tests/fuzz/parsers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bankside::fuzz::Parser* const parser = bankside::fuzz::findParser(BANKSIDE_PARSER);
  parser->read(std::as_bytes(std::span(data, size)));
  return 0;
}
