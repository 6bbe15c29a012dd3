/// Everything that reads what strangers send, each as a function of bytes: what fuzzers call, and the test of
/// the seeds.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bankside::fuzz {

struct Parser {
  const char* name;
  /// Reads the bytes. An `Error` of ours is an answer and stays inside; anything else is a defect.
  void (*read)(std::span<const std::byte> bytes);
};

const std::vector<Parser>& parsers();
/// Null for another name.
const Parser* findParser(const std::string& name);

}  // namespace bankside::fuzz
