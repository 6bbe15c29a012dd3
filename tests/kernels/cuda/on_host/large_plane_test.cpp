/// Channels of more than 2^31 elements without the memory for them: rows so far apart, of which only the
/// pixels exist.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/made_input.h"
#include "kernels/cuda/multichannel/summed_bank.h"
#include "kernels/cuda/pixels/tile_math.h"
#include "tests/kernels/cuda/on_host/fake_device.h"

namespace bankside {
namespace {

using namespace cuda;

/// Memory of which only what is touched is there.
class SparseMemory {
 public:
  explicit SparseMemory(std::size_t bytes)
      : bytes_(bytes),
        data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                   0)) {}
  ~SparseMemory() {
    if (*this) munmap(data_, bytes_);
  }
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;
  explicit operator bool() const { return data_ != MAP_FAILED; }
  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  std::size_t bytes_;
  void* data_;
};

struct Case {
  ConvolutionProblem problem;
  CorrelationTaps taps;
  Image image;

  explicit Case(const char* text)
      : problem(parseProblem(text)),
        taps(correlationTaps(problem, withAnchor(randomBank(problem.filterCount, problem.channels,
                                                            problem.filterHeight, problem.filterWidth, 3),
                                                 problem.anchorX, problem.anchorY))),
        image(randomImage(problem.channels, problem.height, problem.width, problem.srcType, 5)) {}

  std::size_t rowBytes() const { return static_cast<std::size_t>(problem.width) * sizeOf(problem.srcType); }

  /// The image at `to`, rows `stride` elements apart and channels without gaps.
  void put(std::byte* to, std::size_t stride) const {
    const std::size_t apart = stride * sizeOf(problem.srcType);
    for (int c = 0; c < problem.channels; ++c)
      for (int y = 0; y < problem.height; ++y, to += apart)
        std::memcpy(to, image.plane(c).row(y), rowBytes());
  }

  /// Result rows of a start over `pixels`; 0 `rowsAtOnce`: as many as the bank takes.
  std::vector<std::byte> run(ChannelBank& bank, const std::byte* pixels, std::size_t stride,
                             int rowsAtOnce) const {
    const auto types = outputPlanes(problem);
    const int dstStride = roundUp(problem.width, 64);
    const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(dstStride) * problem.height;
    std::vector<float4> memory(types.size() * static_cast<std::size_t>(plane) / 4);
    KernelArguments a;
    a.src = {pixels, static_cast<std::ptrdiff_t>(stride), problem.srcType, problem.width, problem.height, 0,
             false};
    a.dst = {memory.data(), nullptr, plane, dstStride, types.front()};
    if (problem.combine == Combine::ArgMax)
      a.dst.index = reinterpret_cast<std::uint16_t*>(reinterpret_cast<float*>(memory.data()) + plane);
    a.width = problem.width;
    a.height = problem.height;
    const auto channel = static_cast<std::ptrdiff_t>(stride) * problem.height;
    if (rowsAtOnce == 0) {
      bank.start(a, channel, problem.height, nullptr);
    } else {
      bank.startInBands(a, {}, channel, rowsAtOnce, nullptr);
    }
    const auto* bytes = reinterpret_cast<const std::byte*>(memory.data());
    return {bytes, bytes + memory.size() * sizeof(float4)};
  }
};

/// Where two runs' bytes differ first; -1: nowhere.
std::ptrdiff_t firstDifference(const std::vector<std::byte>& one, const std::vector<std::byte>& other) {
  const auto at = std::mismatch(one.begin(), one.end(), other.begin()).first;
  return at == one.end() ? -1 : at - one.begin();
}

class LargePlane : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    on_host::setSeed(0);
    on_host::setMultiprocessors(132);
  }

  static void expectTheSame(const Case& c, ChannelBank& bank) {
    std::vector<std::byte> compact(static_cast<std::size_t>(c.problem.channels * c.problem.height) *
                                   c.rowBytes());
    const auto width = static_cast<std::size_t>(c.problem.width);
    c.put(compact.data(), width);
    const auto expected = c.run(bank, compact.data(), width, 0);
    for (const int rows : {1, 7, 39, 100})
      EXPECT_EQ(firstDifference(c.run(bank, compact.data(), width, rows), expected), -1)
          << bank.describe() << ", " << rows << " rows at a time";
    const std::size_t stride = (std::size_t{1} << 26) + 64;
    const SparseMemory sparse(stride * static_cast<std::size_t>(c.problem.channels * c.problem.height) *
                              sizeOf(c.problem.srcType));
    if (!sparse) GTEST_SKIP() << "no address space for rows that far apart";
    c.put(sparse.data(), stride);
    EXPECT_EQ(firstDifference(c.run(bank, sparse.data(), stride, 0), expected), -1)
        << bank.describe() << ", rows far apart";
  }
};

TEST_P(LargePlane, IsFilteredAsASmallOne) {
  const Case c(GetParam());
  SummedBank fma(c.problem, c.taps, chooseSummed(c.problem));
  expectTheSame(c, fma);
  MatrixBank tensor(c.problem, c.taps, TensorMode::Fp16x3, 1);
  expectTheSame(c, tensor);
}

INSTANTIATE_TEST_SUITE_P(Problems, LargePlane,
                         ::testing::Values("c2h40w45-f5k5-reflect101-f32:f32-none",
                                           "c2h40w45-f3k4x3a2x1-wrap-u8:f32-argmax",
                                           "c3h40w45-f3k3a0x0-constant=3-u16:f32-max",
                                           "c2h40w45-f9k7-replicate-u8:u8-none"),
                         [](const auto& i) { return "n" + std::to_string(i.index); });

}  // namespace
}  // namespace bankside
