#include "core/work_memory.h"

#include <utility>

namespace bankside {
namespace {

thread_local ImageMemory* memoryOfThread = nullptr;

}  // namespace

WorkIn::WorkIn(ImageMemory& memory) : before_(std::exchange(memoryOfThread, &memory)) {}
WorkIn::~WorkIn() { memoryOfThread = before_; }

ImageMemory* memoryOfWork() { return memoryOfThread; }

}  // namespace bankside
