/// Everything that reads what strangers send, each as a function of bytes: what fuzzers call, and the test of
/// the seeds.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/error.h"

namespace bankside::fuzz {

struct Parser {
  const char* name;
  /// Reads the bytes. An `Error` of ours is an answer and stays inside; anything else is a defect.
  void (*read)(std::span<const std::byte> bytes);
};

using Bytes = std::span<const std::byte>;

template <void (*read)(Bytes)>
void answered(Bytes bytes) {
  try {
    read(bytes);
  } catch (const Error&) {
    return;
  }
}

/// All but that of the command line, which needs the whole program.
const std::vector<Parser>& parsers();
const std::vector<Parser>& commandLineParsers();

}  // namespace bankside::fuzz
