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

}  // namespace

struct Fiber::State {
  std::byte* memory;
  void (*entry)() = nullptr;
#if defined(__x86_64__)
  void* inside = nullptr;
  void* outside = nullptr;
#else
  ucontext_t inside;
  ucontext_t outside;
#endif
  // What the address sanitizer wants to know about stacks.
  void* fakeInside = nullptr;
  void* fakeOutside = nullptr;
  const void* outsideBottom = nullptr;
  std::size_t outsideBytes = 0;

  void beforeSwitch([[maybe_unused]] void** fake, [[maybe_unused]] const void* bottom,
                    [[maybe_unused]] std::size_t bytes) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(fake, bottom, bytes);
#endif
  }
  void arrivedInside() {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(fakeInside, &outsideBottom, &outsideBytes);
#endif
  }
  void arrivedOutside() {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(fakeOutside, nullptr, nullptr);
#endif
  }
  void goIn() {
#if defined(__x86_64__)
    banksideSwitchStacks(&outside, inside);
#else
    swapcontext(&outside, &inside);
#endif
  }
  void goOut() {
#if defined(__x86_64__)
    banksideSwitchStacks(&inside, outside);
#else
    swapcontext(&inside, &outside);
#endif
  }
};

namespace {

Fiber* entered = nullptr;
void (*entryOfEntered)() = nullptr;
void (*arrived)(Fiber*) = nullptr;

void firstFrame() {
  arrived(entered);
  entryOfEntered();
}

}  // namespace

Fiber::Fiber() : state_(new State) {
  void* memory = mmap(nullptr, stackBytes + guardBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mprotect(memory, guardBytes, PROT_NONE);
  state_->memory = static_cast<std::byte*>(memory);
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
  auto** top = reinterpret_cast<void**>(state_->memory + guardBytes + stackBytes) - 8;
  for (int i = 0; i < 6; ++i) top[i] = nullptr;
  top[6] = reinterpret_cast<void*>(&firstFrame);
  top[7] = nullptr;
  state_->inside = top;
#else
  getcontext(&state_->inside);
  state_->inside.uc_stack.ss_sp = state_->memory + guardBytes;
  state_->inside.uc_stack.ss_size = stackBytes;
  state_->inside.uc_link = nullptr;
  makecontext(&state_->inside, &firstFrame, 0);
#endif
}

void Fiber::resume() {
  entered = this;
  entryOfEntered = state_->entry;
  arrived = [](Fiber* fiber) { fiber->state_->arrivedInside(); };
  state_->beforeSwitch(&state_->fakeOutside, state_->memory + guardBytes, stackBytes);
  state_->goIn();
  state_->arrivedOutside();
}

void Fiber::leave() {
  state_->beforeSwitch(&state_->fakeInside, state_->outsideBottom, state_->outsideBytes);
  state_->goOut();
  state_->arrivedInside();
}

}  // namespace bankside::on_host
