/// Planes that come in bands and are wanted again when all of them are known.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "core/image.h"
#include "core/imageio/atomic_file.h"
#include "core/run/output_map.h"
#include "core/stop_check.h"

namespace bankside {

/// They lie in a file that never gets its name, so that memory holds one band. Errors  Error{Io}, DiskFull
class SpilledPlanes {
 public:
  /// `file`: beside what they become.
  explicit SpilledPlanes(const std::filesystem::path& file) : file_(file) {}

  /// A band of every plane, [1, rows, W] each.
  void add(int firstRow, const std::vector<Image>& band);

  /// Of every plane; of f32 ones alone there is one.
  const std::vector<ValueRange>& ranges() const { return ranges_; }

  /// Every band again, as it was added. `check` is asked before each of its planes.
  void again(const std::function<void(int firstRow, const std::vector<Image>& band)>& take,
             const StopCheck& check) const;

 private:
  struct Band {
    int firstRow, height;
  };
  AtomicFile file_;
  std::int64_t size_ = 0;
  int width_ = 0;
  std::vector<ElementType> types_;
  std::vector<Band> bands_;
  std::vector<ValueRange> ranges_;
};

}  // namespace bankside
