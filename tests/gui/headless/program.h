/// Runs the built `bankside` as a user would, and keeps what it said.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace bankside::testing {

struct Outcome {
  int exitCode = -1;
  std::string out;
  std::string err;
  long reads = -1;     ///< its calls that read; -1: the system does not say
  long peakBytes = 0;  ///< of memory that it held at a time
};

/// Words are passed as they are, without a shell.
Outcome bankside(const std::vector<std::string>& words);

/// Two at the same time.
std::pair<Outcome, Outcome> banksideTwice(const std::vector<std::string>& words,
                                          const std::vector<std::string>& otherWords);

/// As `bankside`, after `prepare` in the process that becomes the program: its limits, its descriptors.
Outcome banksideAfter(const std::function<void()>& prepare, const std::vector<std::string>& words);

/// In `prepare`: of a resource as setrlimit names it, soft and hard.
void limitTo(int resource, std::uint64_t most);

/// As `bankside`, with a signal as soon as it listens to signals and `event` has happened. One that ends
/// before is not sent any.
Outcome banksideKilled(const std::vector<std::string>& words, int signal, const std::function<bool()>& event);

/// The same, where no file may grow beyond so many bytes.
Outcome banksideWithFileLimit(const std::vector<std::string>& words, long bytes);

/// The same, with so many bytes of address space.
Outcome banksideWithMemoryLimit(const std::vector<std::string>& words, long bytes);

/// The same, where `folder` lies on a disk of 64 KiB; exit code -1 where such a disk cannot be made.
Outcome banksideOnSmallDisk(const std::vector<std::string>& words, const std::filesystem::path& folder);

std::string fileText(const std::filesystem::path& file);
/// Their names, sorted; none of a folder that is not there.
std::vector<std::string> filesIn(const std::filesystem::path& folder);

}  // namespace bankside::testing
