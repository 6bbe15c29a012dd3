// What clang's libFuzzer calls. The program's own name says which parser reads: fuzz-png, fuzz-recipe ...
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>

#include "tests/fuzz/parsers.h"
#include "tests/fuzz/picture_mutator.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using bankside::fuzz::Octets;

const bankside::fuzz::Parser* parser = nullptr;

/// In libFuzzer's way.
Octets changed(const Octets& bytes, std::size_t most) {
  Octets made = bytes;
  made.resize(std::max(most, bytes.size()));
  made.resize(LLVMFuzzerMutate(made.data(), bytes.size(), made.size()));
  return made;
}

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

/// PNG and TIFF in three of four cases by their parts.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  std::mt19937 random(seed);
  const std::string name = parser->name;
  const Octets bytes(data, data + size);
  Octets made;
  if (random() % 4 != 0 && name == "png") made = bankside::fuzz::changedPng(bytes, most, random, changed);
  if (random() % 4 != 0 && name == "tiff") made = bankside::fuzz::changedTiff(bytes, most, random, changed);
  if (made.empty()) return LLVMFuzzerMutate(data, size, most);
  std::copy(made.begin(), made.end(), data);
  return made.size();
}
