#include "core/evaluate/skeleton.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace bankside {
namespace {

/// For each of the two passes and each neighbourhood: whether the pixel goes. Neighbours are P2 to P9 of the
/// paper: from the north clockwise, bit 0 first.
using Table = std::array<std::array<bool, 256>, 2>;

Table makeTable() {
  Table table{};
  for (unsigned n = 0; n < 256; ++n) {
    const auto at = [n](unsigned i) { return (n >> (i % 8)) & 1U; };
    unsigned crossings = 0;  // C of the paper: pieces of shape around the pixel
    unsigned pairs = 0;      // N1 and N2
    unsigned turnedPairs = 0;
    for (unsigned side = 0; side < 8; side += 2) {
      crossings += (1U - at(side)) & (at(side + 1) | at(side + 2));
      pairs += at(side + 7) | at(side);
      turnedPairs += at(side) | at(side + 1);
    }
    const unsigned around = std::min(pairs, turnedPairs);
    const bool rim = crossings == 1 && around >= 2 && around <= 3;
    table[0][n] = rim && ((at(0) | at(1) | (1U - at(3))) & at(2)) == 0;
    table[1][n] = rim && ((at(4) | at(5) | (1U - at(7))) & at(6)) == 0;
  }
  return table;
}

/// A shape with a frame of ground, and for each pass the pixels whose neighbours changed since it saw them:
/// others would be judged as before.
class Thinning {
 public:
  explicit Thinning(const Image& shape)
      : width_(shape.width()), stride_(static_cast<std::size_t>(width_) + 2) {
    const auto view = shape.view<std::uint8_t>(0);
    pixels_.resize(stride_ * (static_cast<std::size_t>(shape.height()) + 2));
    for (int y = 0; y < view.height; ++y)
      for (int x = 0; x < width_; ++x) pixels_[index(x, y)] = view.at(x, y) != 0 ? isShape : 0;
    const auto step = static_cast<std::ptrdiff_t>(stride_);
    around_ = {-step, 1 - step, 1, 1 + step, step, step - 1, -1, -1 - step};
  }

  Image run(const StopCheck& check) {
    for (std::size_t i = 0; i < pixels_.size(); ++i)
      if (pixels_[i] != 0) wait(i);
    while (!waiting_[0].empty() || !waiting_[1].empty())
      for (const unsigned pass : {0U, 1U}) {
        ask(check);
        thin(pass);
      }
    const int height = static_cast<int>(pixels_.size() / stride_) - 2;
    Image skeleton(1, height, width_, ElementType::U8);
    auto view = skeleton.view<std::uint8_t>(0);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width_; ++x) view.at(x, y) = pixels_[index(x, y)] & isShape;
    return skeleton;
  }

 private:
  static constexpr std::uint8_t isShape = 1;
  static constexpr std::uint8_t waits(unsigned pass) { return static_cast<std::uint8_t>(2U << pass); }

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y + 1) * stride_ + static_cast<std::size_t>(x + 1);
  }
  std::size_t neighbour(std::size_t pixel, unsigned i) const {
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(pixel) + around_[i]);
  }

  void wait(std::size_t pixel) {
    for (const unsigned pass : {0U, 1U}) {
      if ((pixels_[pixel] & waits(pass)) != 0) continue;
      pixels_[pixel] |= waits(pass);
      waiting_[pass].push_back(pixel);
    }
  }

  /// All that go in a pass go at once.
  void thin(unsigned pass) {
    static const Table table = makeTable();
    const std::vector<std::size_t> seen = std::exchange(waiting_[pass], {});
    std::vector<std::size_t> gone;
    for (const std::size_t pixel : seen) {
      pixels_[pixel] &= static_cast<std::uint8_t>(~waits(pass));
      if ((pixels_[pixel] & isShape) == 0) continue;
      unsigned around = 0;
      for (unsigned i = 0; i < 8; ++i) around |= (pixels_[neighbour(pixel, i)] & 1U) << i;
      if (table[pass][around]) gone.push_back(pixel);
    }
    for (const std::size_t pixel : gone) pixels_[pixel] &= static_cast<std::uint8_t>(~isShape);
    for (const std::size_t pixel : gone) {
      for (unsigned i = 0; i < 8; ++i)
        if (const std::size_t beside = neighbour(pixel, i); (pixels_[beside] & isShape) != 0) wait(beside);
    }
  }

  int width_;
  std::size_t stride_;
  std::vector<std::uint8_t> pixels_;
  std::array<std::ptrdiff_t, 8> around_{};
  std::array<std::vector<std::size_t>, 2> waiting_;
};

}  // namespace

Image skeletonOf(const Image& shape, const StopCheck& check) { return Thinning(shape).run(check); }

}  // namespace bankside
