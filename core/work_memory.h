/// Memory of a caller's that all of a computation lies in: its images, and what engines work with.
#pragma once

namespace bankside {

class ImageMemory;

/// While it lives, the images that its thread makes lie in that memory, unless ImagesIn (image_memory.h) says
/// otherwise, and so does the work of engines, also of the threads of a team that this thread gives work to
/// (parallel.h). Null from `take` is exhausted memory then.
class WorkIn {
 public:
  explicit WorkIn(ImageMemory& memory);
  ~WorkIn();
  WorkIn(const WorkIn&) = delete;
  WorkIn& operator=(const WorkIn&) = delete;

 private:
  ImageMemory* before_;
};

/// Of this thread; null: work lies in ordinary memory.
ImageMemory* memoryOfWork();

}  // namespace bankside
