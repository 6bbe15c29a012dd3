/// Changes to pictures that get past what a decoder looks at first: the pieces stay pieces, with their
/// lengths and checksums.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace bankside::fuzz {

using Octets = std::vector<std::uint8_t>;
/// Changes bytes in any way, into at most so many.
using Change = std::function<Octets(const Octets& bytes, std::size_t most)>;

/// PNG: a chunk's data, or the pixels inside it, changed; a chunk left out, doubled or moved. Empty where the
/// bytes are no PNG, or the result would be longer than `most`.
Octets changedPng(const Octets& bytes, std::size_t most, std::mt19937& random, const Change& change);

/// TIFF and BigTIFF: an entry of a directory with another tag, type, count or value, left out, doubled or
/// moved; now and then what lies behind. Empty where the bytes are no TIFF with a directory, or the result
/// would be longer.
Octets changedTiff(const Octets& bytes, std::size_t most, std::mt19937& random, const Change& change);

}  // namespace bankside::fuzz
