/// The rows that a block reads, from global to shared memory as the tensor cores want them: for every group
/// of outputs the eight pixels from its first one on, in half precision, border resolved on the way.
///
/// Warps take the rows in turn, each for itself. A row is first copied as it is, while the rows before
/// it become groups: nobody waits for global memory.
#pragma once

#include <type_traits>

#include "kernels/cuda/device/async_copy.cuh"
#include "kernels/cuda/pixels/direct_pixel.cuh"
#include "kernels/cuda/pixels/mark_fallback.cuh"
#include "kernels/cuda/tensor/eight_pixels.cuh"
#include "kernels/cuda/tensor/split.h"
#include "kernels/cuda/tensor/tensor_arguments.h"

namespace bankside::cuda {

/// Rows of groups, and the pixels that they are of. A pixel's place is counted from the first of them.
class GroupRows {
 public:
  /// The image pixel that the block's first result begins with, and how many rows from it on.
  __device__ __forceinline__ GroupRows(const TensorArguments& t, int firstX, int firstY, int count)
      : x0(firstX),
        y0(firstY),
        rows(count),
        // Others meet zero taps, or results that nobody keeps.
        wanted(min(t.layout.width(), t.base.x + t.base.width - t.base.anchorX - x0) + t.base.filterWidth - 1),
        left(max(0, -x0)),
        right(min(wanted, t.base.src.width - x0)),
        // A band ends with the last row that a result needs; rows below meet the same.
        last_(min(rows - 1, t.base.y + t.base.height - t.base.anchorY + t.base.filterHeight - 2 - y0)),
        inside_((t.base.src.rowsResolved && t.base.border.kind != BorderKind::Constant) ||
                (y0 >= 0 && y0 + last_ < t.base.src.imageHeight)) {}

  /// Row of the source's buffer; negative where a constant border is.
  __device__ __forceinline__ int sourceRow(const KernelArguments& a, int row) const {
    const int y = y0 + min(row, last_);
    // A strip may begin above its band.
    return inside_ ? max(y - a.src.firstRow, 0)
                   : edgeRow(y, a.src.imageHeight, a.border.kind, a.src.rowsResolved, a.src.firstRow);
  }

  /// Whether some of the pixels are beside the image.
  __device__ __forceinline__ bool leaveImage(const KernelArguments& a) const {
    return !inside_ || x0 < 0 || x0 + wanted > a.src.width;
  }

  /// The column of a lane's pixel beside the image, -1 for none: a row has at most `mostTensorSide` - 1.
  __device__ __forceinline__ int columnBeside(int lane) const {
    const int column = lane < left ? lane : lane - left + right;
    return column < wanted ? column : -1;
  }

  const int x0, y0;
  const int rows;
  const int wanted;       ///< pixels of a row that a result needs
  const int left, right;  ///< of these, columns [left, right) lie inside the image

 private:
  const int last_;
  const bool inside_;
};

/// Of all that a block of f32 pixels reads (see bandScale): magnitudes as bits, which compare as integers do.
struct BandExtremes {
  std::uint32_t largest;
  std::uint32_t leastLessOne;  ///< so that zero is the largest
  std::uint32_t strange;       ///< not 0: NaN or infinities among them
};
/// The block's, in shared memory.
__device__ __forceinline__ BandExtremes& bandExtremes() {
  __shared__ BandExtremes extremes;
  return extremes;
}

/// Whether the smallest pixel of f32, times the block's scale, is one that halves hold.
__device__ __forceinline__ bool halvesHold(std::uint32_t leastLessOne, float scale) {
  return __uint_as_float(leastLessOne + 1) * scale >= smallestSplit;
}

/// Whether one of eight window pixels from x on is too small for halves.
__device__ __forceinline__ bool tooSmall(const KernelArguments& a, int source, int x, float scale) {
  bool small = false;
#pragma unroll 1
  for (int i = 0; i < 8; ++i) {
    const float pixel = pixelOf(a, source, x + i);
    small = small || (pixel != 0.0f && fabsf(pixel * scale) < smallestSplit);
  }
  return small;
}

/// The window pixel that a block's row of groups begins with.
__device__ __forceinline__ int2 placeOfGroups(const TensorArguments& t, int row) {
  return {static_cast<int>(blockIdx.x) * t.layout.width() - t.before,
          static_cast<int>(blockIdx.z) * t.walk.blockStrips * t.layout.rowStep - t.above + row};
}

/// Leaves what sees groups i * 32 + lane of a block's row, bit i each, to be mended.
__device__ __forceinline__ void mendLater(const TensorArguments& t, unsigned groups, int row) {
  const int shiftsLog2 = t.layout.shiftsLog2;
  const int2 place = placeOfGroups(t, row);
  // Nothing is read again after every store.
  const FallbackMap& map = t.base.fallback;
  const std::uint32_t launch = map.launch;
  const int lastColumn = map.columns - 1;
  std::uint32_t* const words = map.words;
  const int cellRow = min(max(place.y >> FallbackMap::cellHeightLog2, 0), map.rows - 1);
  std::uint32_t* const cells =
      words + map.first(Mark::NotFinite) + static_cast<std::ptrdiff_t>(cellRow) * map.columns;
  if (groups != 0) words[0] = launch;
  int first = place.x + (static_cast<int>(threadIdx.x) % 32 << shiftsLog2);
#pragma unroll 1
  for (; groups != 0; groups >>= 1, first += 32 << shiftsLog2) {
    if ((groups & 1) == 0) continue;
    cells[min(max(first >> FallbackMap::cellWidthLog2, 0), lastColumn)] = launch;
    cells[min(max((first + 7) >> FallbackMap::cellWidthLog2, 0), lastColumn)] = launch;
  }
}

/// Leaves what sees groups i * 32 + lane of a block's row, bit i each: to direct sums, and counted in `left`,
/// where f32 pixels times `scale` are too small for halves, else to be mended. Out of line: rare, and it
/// shall cost the others no register.
__device__ __noinline__ inline void leaveGroups(const TensorArguments& t, unsigned groups, int row,
                                                float scale, std::uint32_t* left) {
  if (!halvesHold(bandExtremes().leastLessOne, scale)) {
    const KernelArguments& a = t.base;
    const int shiftsLog2 = t.layout.shiftsLog2;
    const int2 place = placeOfGroups(t, row);
    // Rows that no result needs may not be there.
    const int source = rowAt(a, min(max(place.y, 0), a.height + a.filterHeight - 2));
    unsigned small = 0;
    int first = place.x + (static_cast<int>(threadIdx.x) % 32 << shiftsLog2);
#pragma unroll 1
    for (unsigned bit = 1; bit != 0 && bit <= groups; bit <<= 1, first += 32 << shiftsLog2) {
      if ((groups & bit) == 0 || !tooSmall(a, source, first, scale)) continue;
      small |= bit;
      markPixels(a.fallback, first, place.y, 8, Mark::Sums);
    }
    if (small != 0) atomicAdd(left, static_cast<unsigned>(__popc(small)));
    groups &= ~small;
  }
  mendLater(t, groups, row);
}
/// The same of halves, of which none is too small and none is counted.
__device__ __noinline__ inline void leaveHalves(const TensorArguments& t, unsigned groups, int row,
                                                std::uint32_t* left) {
  atomicAdd(left, 0u);
  const int x = static_cast<int>(blockIdx.x) * t.layout.width() - t.before;
  const int y = static_cast<int>(blockIdx.z) * t.walk.blockStrips * t.layout.rowStep - t.above + row;
#pragma unroll 1
  for (int group = static_cast<int>(threadIdx.x) % 32; groups != 0; groups >>= 1, group += 32)
    if ((groups & 1) != 0)
      markPixels(t.base.fallback, x + (group << t.layout.shiftsLog2), y, 8, Mark::NotFinite);
}

/// One warp's part of the staging of pixels of class T.
///
/// A row lies in shared memory for a while as the image has it, border and all: what is inside copied as
/// whole words, the pixels beside it (at most `mostTensorSide` - 1, one a lane) read a row ahead. Only the
/// value of a constant border that T does not hold is put in when groups are made.
template <class T>
class RowStager {
 public:
  static constexpr int rowsAhead = TensorWalk::rowsAhead(sizeof(T));

  /// This warp's rows are `first` and every `apart`th one after it, before `end`. `raw`: room for `ahead` of
  /// them as the image has them, at most `rowsAhead`. `done`: of these rows an earlier stager of this warp
  /// has put so many, and asked for the next ones; negative where there was none.
  __device__ __forceinline__ RowStager(const TensorArguments& t, const GroupRows& rows, char* raw, int ahead,
                                       int first, int apart, int end, int done = -1)
      : t_(t),
        rows_(rows),
        lane_(static_cast<int>(threadIdx.x) % 32),
        raw_(raw),
        ahead_(ahead),
        row_(first),
        place_(raw),
        slot_(first < t.walk.ring ? first : first - t.walk.ring),
        apart_(apart),
        end_(end) {
    const int top = rows.sourceRow(t.base, 0);
    // Words of the image are words of the row.
    const auto address = reinterpret_cast<std::uintptr_t>(rowOf(max(top, 0)) + rows.left);
    beyond_ = static_cast<int>((address - static_cast<std::uintptr_t>(rows.left) * sizeof(T)) & 3);
    if (done < 0) {
      // Columns that no result needs are zeros.
      for (int i = lane_; i < ahead * t.layout.rawPitch() / 16; i += 32)
        reinterpret_cast<uint4*>(raw_)[i] = make_uint4(0, 0, 0, 0);
      __syncwarp();
    } else {
      row_ = first + done * apart;
      place_ = raw + done % ahead * t.layout.rawPitch();
      slot_ = row_ % t.walk.ring;
    }
    edgeColumn_ = rows.columnBeside(lane_);
    edgeX_ = edgeColumn_ < 0 ? -1 : edgeIndex(rows.x0 + edgeColumn_, t.base.src.width, t.base.border.kind);
    const float border = t.base.border.value;
    constantHeld_ = t.base.border.kind == BorderKind::Constant && holds(border);
    if (constantHeld_) edge_ = fromFloat(border);
    if (edgeX_ < 0 && !constantHeld_) edgeColumn_ = -1;
    // What a whole word brings behind the last column may be no number.
    if (lane_ == 31) {
      edgeColumn_ = rows.wanted;
      edge_ = T{};
    }
    if (done < 0) {
#pragma unroll 1
      for (int i = 0; i < ahead; ++i) {
        ask(first + i * apart);
        place_ = behind(place_);
      }
    }
    readEdge(row_);
  }

  /// Calls `put(byte offset, eight pixels)` for every group of this warp's rows before `end`; the pixels know
  /// their `halves()`, or `floats()`. Where it returns true, what sees them is left (leaveGroups); it
  /// knows its `scale`.
  /// `together`: groups at a time, since each is a chain of instructions.
  template <int together, int pending, class Put>
  __device__ __forceinline__ void putUntil(int end, std::uint32_t* left, Put&& put) {
#pragma unroll 1
    for (; row_ < end; row_ += apart_) {
      waitForGroups<pending>();
      __syncwarp();
      if (edgeColumn_ >= 0) reinterpret_cast<T*>(place_ + beyond_)[edgeColumn_] = edge_;
      readEdge(row_ + apart_);
      __syncwarp();
      if constexpr (std::is_integral_v<T>) {
        putRow<together>(put);
      } else if (const unsigned groups = putRow<together>(put); groups != 0) {
        if constexpr (std::is_same_v<T, float>)
          leaveGroups(t_, groups, row_, put.scale, left);
        else
          leaveHalves(t_, groups, row_, left);
      }
      __syncwarp();
      ask(row_ + ahead_ * apart_);
      place_ = behind(place_);
      slot_ += apart_;
      while (slot_ >= t_.walk.ring) slot_ -= t_.walk.ring;
    }
  }

 private:
  static constexpr int pixelBytes = sizeof(T);

  __device__ __forceinline__ static bool holds(float value) {
    if constexpr (std::is_integral_v<T>) {
      constexpr float most = sizeof(T) == 1 ? 255.0f : 65535.0f;
      return value >= 0.0f && value <= most && value == rintf(value);
    }
    return true;  // see holdsBorder
  }
  __device__ __forceinline__ static T fromFloat(float value) {
    if constexpr (std::is_same_v<T, __half>)
      return __float2half_rn(value);
    else
      return static_cast<T>(value);
  }

  __device__ __forceinline__ const T* rowOf(int sourceRow) const {
    return static_cast<const T*>(t_.base.src.pixels) + sourceRow * t_.base.src.stride + rows_.x0;
  }
  /// Where the row after the one that lies there goes.
  __device__ __forceinline__ char* behind(char* row) const {
    row += t_.layout.rawPitch();
    return row < raw_ + ahead_ * t_.layout.rawPitch() ? row : raw_;
  }

  /// The pixels of `row` are on their way to `place_`.
  __device__ __forceinline__ void ask(int row) {
    const int from = row < end_ ? rows_.sourceRow(t_.base, row) : -1;
    if (from >= 0) {
      const int first = (beyond_ + rows_.left * pixelBytes) & ~3;
      const int end = beyond_ + rows_.right * pixelBytes;
      const char* const words = reinterpret_cast<const char*>(rowOf(from)) - beyond_;
#pragma unroll 4
      for (int at = first + 4 * lane_; at < end; at += 4 * 32)
        copyWordAsync(reinterpret_cast<float*>(place_ + at), reinterpret_cast<const float*>(words + at));
    }
    closeGroup();
  }

  __device__ __forceinline__ void readEdge(int row) {
    if (edgeX_ < 0 || row >= end_) return;
    const int from = rows_.sourceRow(t_.base, row);
    edge_ = (static_cast<const T*>(t_.base.src.pixels) + max(from, 0) * t_.base.src.stride)[edgeX_];
  }

  /// Returns which groups direct sums do: bit i is that of this lane's i-th one.
  template <int most, class Put>
  __device__ __forceinline__ unsigned putRow(Put& put) {
    const int shiftsLog2 = t_.layout.shiftsLog2;
    const int groups = t_.layout.stagedGroups();
    const bool anyRow = rows_.sourceRow(t_.base, row_) >= 0;
    const char* const raw = place_ + beyond_;
    unsigned left = 0;  // groups lane, lane + 32, ... that direct sums do
    const auto putAll = [&](int at, const auto& pixelsOf) {
      left = 0;
      using Pixels = decltype(pixelsOf(0));
      constexpr int together = std::is_same_v<Pixels, Resolved> ? 1 : most;
#pragma unroll 1
      for (int first = lane_; first < groups; first += 32 * together) {
        left >>= together;
        Pixels pixels[together];
#pragma unroll
        for (int i = 0; i < together; ++i) pixels[i] = pixelsOf(min(first + 32 * i, groups - 1));
#pragma unroll
        for (int i = 0; i < together; ++i)
          if (first + 32 * i < groups && put(at + (first + 32 * i) * coreBytes, pixels[i]))
            left |= 1u << (32 - together + i);
      }
      if (left != 0) left >>= 32 - together * ceilDiv(groups - lane_, 32 * together);
    };
    const auto putTwice = [&](const auto& pixelsOf) {
      putAll(slot_ * t_.layout.pitch(), pixelsOf);
      if (t_.walk.chunks > 1 && t_.layout.repeatsRow() && slot_ == 0)
        putAll(t_.walk.ring * t_.layout.pitch(), pixelsOf);
    };
    const bool allInside = rows_.left == 0 && rows_.right == rows_.wanted;
    if (anyRow && (t_.base.border.kind != BorderKind::Constant || constantHeld_ || allInside)) {
      putTwice([&](int group) { return Eight<T>(raw + (group << shiftsLog2) * pixelBytes); });
      return left;
    }
    putTwice([&](int group) {
      return Resolved([&](int i) {
        const int column = (group << shiftsLog2) + i;
        if (column >= rows_.wanted) return 0.0f;
        return anyRow && column >= rows_.left && column < rows_.right
                   ? asFloat(reinterpret_cast<const T*>(raw)[column])
                   : t_.base.border.value;
      });
    });
    return left;
  }

  const TensorArguments& t_;
  const GroupRows& rows_;
  int lane_;
  char* raw_;
  int ahead_;               ///< rows on their way
  int row_;                 ///< next to put
  char* place_;             ///< where it lies as it is copied
  int slot_;                ///< of the ring, for it
  int apart_, end_;         ///< see the constructor
  int beyond_;              ///< byte of a row's first column
  int edgeColumn_, edgeX_;  ///< of the pixel that this lane adds, and where the image has it; -1 for none
  T edge_{};
  bool constantHeld_;
};

}  // namespace bankside::cuda
