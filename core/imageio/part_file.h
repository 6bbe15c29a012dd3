/// A file that is not complete yet, under a name of its own beside the one that it will have.
#pragma once

#include <filesystem>
#include <vector>

namespace bankside {

/// `.<name>.<pid>.<random>.part`, locked for as long as it is open. The system drops that lock with its
/// owner, whatever ended it, so that a part file without a lock is one that nobody goes on with.
class PartFile {
 public:
  PartFile() = default;
  /// Removes the part file if it has not got its name.
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  /// Makes it beside `target`. 0, or the system's error number, as below.
  int open(const std::filesystem::path& target);
  int descriptor() const { return descriptor_; }

  /// Gives it its name. EEXIST where that is taken; nothing has changed then, whoever was faster.
  int place();
  /// Gives it its name, in the place of what has it.
  int replace();
  /// After `place`: removes it, unless somebody has put another file in its place.
  void takeBack();

  /// For a process that ends at once: removes all of its part files. Whoever opens another or gives one its
  /// name waits for ever.
  static void removeAllForGood();

 private:
  void remember();
  void forget();

  std::filesystem::path target_;
  std::filesystem::path path_;  ///< empty once it has its name
  int descriptor_ = -1;
  PartFile* next_ = nullptr;  ///< of this process
  PartFile* before_ = nullptr;
};

/// Lets others who put files into the folder wait, in this process and in others, so that the files of one
/// image appear together. Nobody waits where folders cannot be locked, as on some network file systems.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

/// Removes the part files in the folder whose owners have ended, and says which.
std::vector<std::filesystem::path> removeAbandonedParts(const std::filesystem::path& folder);

}  // namespace bankside
