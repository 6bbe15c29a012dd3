// One program a parser: clang's libFuzzer calls it, BANKSIDE_PARSER says which.
#include <cstdint>
#include <string_view>

#include "tests/fuzz/parsers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const bankside::fuzz::Parser& parser : bankside::fuzz::BANKSIDE_PARSERS())
    if (std::string_view(parser.name) == BANKSIDE_PARSER) parser.read(std::as_bytes(std::span(data, size)));
  return 0;
}
