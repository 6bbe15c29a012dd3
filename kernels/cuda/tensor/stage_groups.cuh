/// The rows that a block reads, from global to shared memory as the tensor cores want them: for every group
/// of outputs the eight pixels from its first one on, in half precision, border resolved on the way.
///
/// Warps take the rows in turn, each for itself. A row is first copied as it is, while the rows before
/// it become groups: nobody waits for global memory.
#pragma once

#include <type_traits>

#include "kernels/cuda/device/async_copy.cuh"
#include "kernels/cuda/device/phase_barrier.cuh"
#include "kernels/cuda/device/warpgroup.cuh"
#include "kernels/cuda/stage_tile.cuh"
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

/// One warp's part of the staging of pixels of class T.
///
/// A row lies in shared memory for a while as the image has it, border and all: what is inside copied as
/// whole words, the pixels beside it (at most `mostTensorSide` - 1, one a lane) read a row ahead. Only the
/// value of a constant border that T does not hold is put in when groups are made.
template <class T>
class RowStager {
 public:
  __device__ __forceinline__ RowStager(const TensorArguments& t, const GroupRows& rows, char* raw, int thread)
      : t_(t),
        rows_(rows),
        lane_(thread % 32),
        row_(thread / 32),
        asked_(thread / 32),
        slot_(thread / 32 % t.walk.ring) {
    const int first = rows.sourceRow(t.base, 0);
    // Words of the image are words of the row.
    const auto address = reinterpret_cast<std::uintptr_t>(rowOf(max(first, 0)) + rows.left);
    beyond_ = static_cast<int>((address - static_cast<std::uintptr_t>(rows.left) * sizeof(T)) & 3);
    const int pitch = t.layout.rawPitch();
    raw_ = raw + thread / 32 * rowsAhead * pitch;
    // Columns that no result needs are zeros.
    for (int i = lane_; i < rowsAhead * pitch / 16; i += 32)
      reinterpret_cast<uint4*>(raw_)[i] = make_uint4(0, 0, 0, 0);
    __syncwarp();
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
#pragma unroll
    for (int i = 0; i < rowsAhead; ++i) ask();
    readEdge(row_);
  }

  /// Calls `put(byte offset, eight pixels)` for every group of this warp's rows before `end`; the pixels know
  /// their `halves()`, or `floats()`.
  template <class Put>
  __device__ __forceinline__ void putUntil(int end, Put&& put) {
#pragma unroll 1
    for (; row_ < end; row_ += warps) {
      waitForGroups<rowsAhead - 1>();
      __syncwarp();
      if (edgeColumn_ >= 0) reinterpret_cast<T*>(rawOf(row_) + beyond_)[edgeColumn_] = edge_;
      readEdge(row_ + warps);
      __syncwarp();
      putRow(put);
      __syncwarp();
      ask();
      slot_ += warps;
      while (slot_ >= t_.walk.ring) slot_ -= t_.walk.ring;
    }
  }

 private:
  static constexpr int warps = TensorWalk::stagerWarps;
  static constexpr int pixelBytes = sizeof(T);
  static constexpr int rowsAhead = TensorWalk::rowsAhead(pixelBytes);

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
  __device__ __forceinline__ char* rawOf(int row) const {
    return raw_ + row / warps % rowsAhead * t_.layout.rawPitch();
  }

  /// The next row's pixels are on their way.
  __device__ __forceinline__ void ask() {
    const int from = asked_ < rows_.rows ? rows_.sourceRow(t_.base, asked_) : -1;
    if (from >= 0) {
      const int first = (beyond_ + rows_.left * pixelBytes) & ~3;
      const int end = beyond_ + rows_.right * pixelBytes;
      const char* const words = reinterpret_cast<const char*>(rowOf(from)) - beyond_;
      char* const to = rawOf(asked_);
#pragma unroll 4
      for (int at = first + 4 * lane_; at < end; at += 4 * 32)
        copyWordAsync(reinterpret_cast<float*>(to + at), reinterpret_cast<const float*>(words + at));
    }
    closeGroup();
    asked_ += warps;
  }

  __device__ __forceinline__ void readEdge(int row) {
    if (edgeX_ < 0 || row >= rows_.rows) return;
    const int from = rows_.sourceRow(t_.base, row);
    edge_ = (static_cast<const T*>(t_.base.src.pixels) + max(from, 0) * t_.base.src.stride)[edgeX_];
  }

  template <class Put>
  __device__ __forceinline__ void putRow(Put& put) {
    const int shiftsLog2 = t_.layout.shiftsLog2;
    const int groups = t_.layout.stagedGroups();
    const bool anyRow = rows_.sourceRow(t_.base, row_) >= 0;
    const char* const raw = rawOf(row_) + beyond_;
    const auto putAll = [&](int at, const auto& pixelsOf) {
      using Pixels = decltype(pixelsOf(0));
      // Some at a time, since each is a chain of instructions: a row is 128 groups and a few.
      constexpr int together = std::is_same_v<Pixels, Resolved> ? 1 : sizeof(T) == 4 ? 2 : 5;
#pragma unroll 1
      for (int first = lane_; first < groups; first += 32 * together) {
        Pixels pixels[together];
#pragma unroll
        for (int i = 0; i < together; ++i) pixels[i] = pixelsOf(min(first + 32 * i, groups - 1));
#pragma unroll
        for (int i = 0; i < together; ++i)
          if (first + 32 * i < groups) put(at + (first + 32 * i) * coreBytes, pixels[i]);
      }
    };
    const auto putTwice = [&](const auto& pixelsOf) {
      putAll(slot_ * t_.layout.pitch(), pixelsOf);
      if (t_.walk.chunks > 1 && t_.layout.repeatsRow() && slot_ == 0)
        putAll(t_.walk.ring * t_.layout.pitch(), pixelsOf);
    };
    const bool allInside = rows_.left == 0 && rows_.right == rows_.wanted;
    if (anyRow && (t_.base.border.kind != BorderKind::Constant || constantHeld_ || allInside)) {
      putTwice([&](int group) { return Eight<T>(raw + (group << shiftsLog2) * pixelBytes); });
      return;
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
  }

  const TensorArguments& t_;
  const GroupRows& rows_;
  int lane_;
  int row_, asked_;  ///< next to put, and to ask for
  int slot_;         ///< of the ring, for `row_`
  int beyond_;       ///< byte of a row's first column
  char* raw_;
  int edgeColumn_, edgeX_;  ///< of the pixel that this lane adds, and where the image has it; -1 for none
  T edge_{};
  bool constantHeld_;
};

/// What blocks' stagers and multipliers tell each other: a chunk's rows are there, a chunk is done with.
struct ChunkBarriers {
  PhaseBarrier full[2];
  PhaseBarrier empty[2];
  __device__ __forceinline__ void begin(int multipliers) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      beginPhases(full[i], tensorWarpgroup);
      beginPhases(empty[i], multipliers * tensorWarpgroup);
    }
  }
};

/// Stages the rows of `chunks` chunks. `put` tells whether pixels are more than halves can take, which
/// `plainChunk` then says of the chunk.
template <class T, class Put>
__device__ __forceinline__ void stageRows(const TensorArguments& t, const GroupRows& rows, int chunks,
                                          char* raw, ChunkBarriers& barriers, int* plainChunk, int thread,
                                          Put&& put) {
  RowStager<T> stager(t, rows, raw, thread);
  int end = t.layout.reach() - t.layout.rowStep;
#pragma unroll 1
  for (int chunk = 0; chunk < chunks; ++chunk) {
    end += t.walk.strips * t.layout.rowStep;
    // The ring holds two chunks.
    if (chunk > 1) waitForPhase(barriers.empty[chunk & 1], (chunk >> 1) - 1);
    bool plain = false;
    stager.putUntil(min(end, rows.rows), [&](int at, const auto& eight) { plain = put(at, eight) || plain; });
    if (plain) plainChunk[chunk] = 1;
    showToProducts();
    arriveAtPhase(barriers.full[chunk & 1]);
  }
}

/// Pixels times `scale` in both planes, the second `plane` bytes behind the first.
__device__ __forceinline__ void putSplit(char* to, int plane, const float (&scaled)[8]) {
  const uint4 packed = packEight(scaled);
  *reinterpret_cast<uint4*>(to) = packed;
  *reinterpret_cast<uint4*>(to + plane) = packRest(scaled, packed, 1 / lowWeight);
}

/// What f32 pixels are multiplied by, a power of two that brings the largest below 2^15.
struct BandScale {
  float scale;  ///< 0 where the largest is so large or small that its scale times one of taps might leave f32
  bool fits;    ///< whether all pixels are numbers that halves hold, scaled so
};

/// By the stagers: see stageRows. `band` of f32 pixels.
template <PixelParts parts>
__device__ __forceinline__ void stageGroups(const TensorArguments& t, const GroupRows& rows, int chunks,
                                            BandScale band, char* shared, ChunkBarriers& barriers,
                                            int* plainChunk, int thread) {
  char* const staged = shared + t.walk.pixels;
  char* const raw = shared + t.walk.raw;
  const int plane = t.walk.plane;
  if constexpr (parts == PixelParts::Split) {
    if (t.base.src.type == ElementType::U16) {
      stageRows<std::uint16_t>(t, rows, chunks, raw, barriers, plainChunk, thread,
                               [&](int at, const auto& eight) {
                                 float v[8];
                                 eight.floats(v);
#pragma unroll
                                 for (float& pixel : v) pixel *= scaleOfWords;
                                 putSplit(staged + at, plane, v);
                                 return false;
                               });
      return;
    }
    stageRows<float>(t, rows, chunks, raw, barriers, plainChunk, thread, [&](int at, const auto& eight) {
      float v[8];
      eight.floats(v);
#pragma unroll
      for (float& pixel : v) pixel *= band.scale;
      putSplit(staged + at, plane, v);
      if (band.fits) return false;
      bool plain = false;
      // NaN and infinities; what has too few bits beside the largest.
#pragma unroll
      for (const float pixel : v)
        plain = plain || !(fabsf(pixel) < splitLimit) || (pixel != 0.0f && fabsf(pixel) < smallestSplit);
      return plain;
    });
    return;
  } else {
    if (t.base.src.type == ElementType::U8) {
      stageRows<std::uint8_t>(t, rows, chunks, raw, barriers, plainChunk, thread,
                              [&](int at, const auto& eight) {
                                *reinterpret_cast<uint4*>(staged + at) = eight.halves();
                                return false;
                              });
      return;
    }
    stageRows<__half>(t, rows, chunks, raw, barriers, plainChunk, thread, [&](int at, const auto& eight) {
      const uint4 halves = eight.halves();
      *reinterpret_cast<uint4*>(staged + at) = halves;
      // NaN or infinite times zero is NaN.
      __half2 zero = __hfma2(pairOf(halves.x), pairOf(0), pairOf(0));
      zero = __hfma2(pairOf(halves.y), pairOf(0), zero);
      zero = __hfma2(pairOf(halves.z), pairOf(0), zero);
      zero = __hfma2(pairOf(halves.w), pairOf(0), zero);
      const float2 sums = __half22float2(zero);
      return sums.x != 0.0f || sums.y != 0.0f;
    });
  }
}

}  // namespace bankside::cuda
