#include "tests/kernels/cuda/on_host/fiber.h"

#include <sys/mman.h>
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

#include <cstdint>
#include <new>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

#if defined(__x86_64__)
// swapcontext asks the kernel for the signal mask, a thousand times the price of what is needed here: the
// registers that a call keeps, and another stack.
extern "C" void banksideSwitchStacks(void** leftAt, void* goTo);
asm(R"(
.text
.globl banksideSwitchStacks
.type banksideSwitchStacks, @function
banksideSwitchStacks:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size banksideSwitchStacks, .-banksideSwitchStacks
)");
#endif

namespace bankside::on_host {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t stackBytes = 512 * 1024;
#else
constexpr std::size_t stackBytes = 128 * 1024;
#endif
constexpr std::size_t guardBytes = 4096;

/// The first word of a stack is its own line of a page's, lest all stacks meet in the same lines of a cache.
constexpr std::size_t topBytes(int number) { return static_cast<std::size_t>(number) * 9 % 64 * 64; }

#if defined(__x86_64__)
using Place = void*;
#else
using Place = ucontext_t;
#endif

/// Where the scheduler is left; there is one at a time.
Place outside;
// What the address sanitizer wants to know about its stack.
void* fakeOutside = nullptr;
const void* outsideBottom = nullptr;
std::size_t outsideBytes = 0;
bool cameFromOutside = false;

void switchPlaces(Place& from, Place& to) {
#if defined(__x86_64__)
  banksideSwitchStacks(&from, to);
#else
  swapcontext(&from, &to);
#endif
}

void beforeSwitch([[maybe_unused]] void** fake, [[maybe_unused]] const void* bottom,
                  [[maybe_unused]] std::size_t bytes) {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(fake, bottom, bytes);
#endif
}
void afterSwitch([[maybe_unused]] void* fake) {
#ifdef __SANITIZE_ADDRESS__
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  __sanitizer_finish_switch_fiber(fake, &bottom, &bytes);
  if (!cameFromOutside) return;
  outsideBottom = bottom;
  outsideBytes = bytes;
#endif
}

}  // namespace

struct Fiber::State {
  std::byte* memory;
  std::size_t top;  ///< bytes that are left out there
  void (*entry)() = nullptr;
  Place inside{};
  void* fakeInside = nullptr;
};

namespace {

void (*entryOfEntered)() = nullptr;

void firstFrame() {
  afterSwitch(nullptr);
  entryOfEntered();
}

}  // namespace

Fiber::Fiber(int number) : state_(new State{}) {
  void* memory = mmap(nullptr, stackBytes + guardBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mprotect(memory, guardBytes, PROT_NONE);
  state_->memory = static_cast<std::byte*>(memory);
  state_->top = topBytes(number);
}

Fiber::~Fiber() {
  munmap(state_->memory, stackBytes + guardBytes);
  delete state_;
}

void Fiber::start(void (*entry)()) {
  state_->entry = entry;
  state_->fakeInside = nullptr;
#if defined(__x86_64__)
  // Six registers, then where to return to; at a function's first instruction the stack is 8 bytes off 16.
  auto** top = reinterpret_cast<void**>(state_->memory + guardBytes + stackBytes - state_->top) - 8;
  for (int i = 0; i < 6; ++i) top[i] = nullptr;
  top[6] = reinterpret_cast<void*>(&firstFrame);
  top[7] = nullptr;
  state_->inside = top;
#else
  getcontext(&state_->inside);
  state_->inside.uc_stack.ss_sp = state_->memory + guardBytes;
  state_->inside.uc_stack.ss_size = stackBytes - state_->top;
  state_->inside.uc_link = nullptr;
  makecontext(&state_->inside, &firstFrame, 0);
#endif
}

void Fiber::resume() {
  entryOfEntered = state_->entry;
  cameFromOutside = true;
  beforeSwitch(&fakeOutside, state_->memory + guardBytes, stackBytes);
  switchPlaces(outside, state_->inside);
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(fakeOutside, nullptr, nullptr);
#endif
}

void Fiber::leave() {
  beforeSwitch(&state_->fakeInside, outsideBottom, outsideBytes);
  switchPlaces(state_->inside, outside);
  afterSwitch(state_->fakeInside);
}

void Fiber::leaveFor(Fiber& next) {
  if (&next == this) return;
  entryOfEntered = next.state_->entry;
  cameFromOutside = false;
  beforeSwitch(&state_->fakeInside, next.state_->memory + guardBytes, stackBytes);
  switchPlaces(state_->inside, next.state_->inside);
  afterSwitch(state_->fakeInside);
}

}  // namespace bankside::on_host
