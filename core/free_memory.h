/// How much memory there is to be had, for those whom nobody told how much to take (decision 0182).
#pragma once

#include <cstdint>
#include <filesystem>

namespace bankside {

/// Bytes that can be taken now without moving others out: those of the machine or, where a control group
/// (version 2) allows less, of that group. 0 if the system does not say. `root`: where the system's files
/// are.
std::int64_t freeMemory(const std::filesystem::path& root = "/");

/// For maps that must be held whole: half of what is free, or `least` where that is more.
std::int64_t memoryForMaps(std::int64_t least);

}  // namespace bankside
