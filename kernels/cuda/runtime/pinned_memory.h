/// Pinned memory of the host: what devices read and write by themselves, while the host does something else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/image_memory.h"
#include "core/plane_view.h"
#include "kernels/cuda/runtime/stream.h"

namespace bankside::cuda {

/// Whether copies to and from the plane need no memory on the way: it is pinned, by whomever. Planes so small
/// that copying them costs less than asking are not.
bool isPinned(const ConstPlane& plane);

/// Copies the rows of a plane to another of their size, one of them on the device: at one go where both are
/// dense.
void copyRows(const MutablePlane& to, const ConstPlane& from, const Stream& stream);

/// Images one after the other, some of them in place: `inPlace[i]` has the i-th one's planes there, or none.
/// Neighbours that are not go with one call of `together(first, count)`, each of the others with `alone(i)`.
template <class Plane, class Together, class Alone>
void copyImages(const std::vector<std::vector<Plane>>& inPlace, const Together& together,
                const Alone& alone) {
  std::size_t first = 0;
  for (std::size_t i = 0; i <= inPlace.size(); ++i) {
    const bool end = i == inPlace.size();
    if (!end && inPlace[i].empty()) continue;
    if (first < i) together(first, i - first);
    if (!end) alone(i);
    first = i + 1;
  }
}

/// Pinned memory that this process has of us, in use or kept. Units  bytes
std::int64_t pinnedBytes();
/// Of it what no image lies in.
std::int64_t pinnedBesideImages();

/// For images that devices fill or read again and again: pinning costs more than many copies, so that what
/// images give back is kept for the next ones of their size.
class PinnedImages final : public ImageMemory {
 public:
  void* take(std::size_t bytes) noexcept override;
  void give(void* memory) noexcept override;
  /// Frees what is kept, and begins anew: with what is in use now as the most that was, and nothing said.
  void drop() noexcept;

  /// The process's.
  static PinnedImages& get();

 private:
  PinnedImages() = default;
};

}  // namespace bankside::cuda
