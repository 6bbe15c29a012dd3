/// Preloaded into a program (LD_PRELOAD): counts what its main asks of the system, and fails one call.
///
/// BANKSIDE_FAULT="write:17:ENOSPC" fails the 17th write over all threads, "write:17+:ENOSPC" that and every
/// later one, "write:17:short" does half of it. BANKSIDE_FAULT_LOG names a file that gets a line where a call
/// fails and, at the end of main, one with the number of calls of each kind. Nothing waits for a disk.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

enum Call { Memory, Thread, Open, Read, Write, Sync, Place, Close, Unlink, Folder, Lock, Cut, Look, Calls };
constexpr std::array<std::string_view, Calls> names = {"memory", "thread", "open",  "read",   "write",
                                                       "sync",   "place",  "close", "unlink", "folder",
                                                       "lock",   "cut",    "look"};

constexpr int half = -1;  // of a read or a write
constexpr std::array<std::pair<std::string_view, int>, 11> errors = {{{"ENOSPC", ENOSPC},
                                                                      {"EIO", EIO},
                                                                      {"EACCES", EACCES},
                                                                      {"EINTR", EINTR},
                                                                      {"ENOMEM", ENOMEM},
                                                                      {"EAGAIN", EAGAIN},
                                                                      {"EMFILE", EMFILE},
                                                                      {"ENOLCK", ENOLCK},
                                                                      {"EINVAL", EINVAL},
                                                                      {"EDQUOT", EDQUOT},
                                                                      {"short", half}}};

std::atomic<bool> counting = false;
std::array<std::atomic<long>, Calls> counts;
int failingCall = Calls;
long failingNumber = 0;
bool failsOn = false;  // and does not stop
int failingError = 0;

/// Asks for no memory and no call that is counted.
void tell(std::string_view line) {
  const char* file = std::getenv("BANKSIDE_FAULT_LOG");
  if (file == nullptr) return;
  const long descriptor = syscall(SYS_open, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) return;
  syscall(SYS_write, descriptor, line.data(), line.size());
  syscall(SYS_close, descriptor);
}

void tellNumber(std::string_view word, long number) {
  char line[64];
  const int size =
      std::snprintf(line, sizeof line, "%.*s %ld\n", static_cast<int>(word.size()), word.data(), number);
  tell({line, static_cast<std::size_t>(size)});
}

/// 0, or how this call fails.
int fault(Call call) {
  if (!counting) return 0;
  const long number = ++counts[call];
  if (call != failingCall || number < failingNumber || (number > failingNumber && !failsOn)) return 0;
  if (number == failingNumber) tellNumber("failed", number);
  return failingError;
}

/// Whether it fails, with errno.
bool fails(Call call) {
  const int error = fault(call);
  if (error > 0) errno = error;
  return error > 0;
}

void readWish() {
  const char* wish = std::getenv("BANKSIDE_FAULT");
  if (wish == nullptr) return;
  const std::string_view text = wish;
  const std::size_t colon = text.find(':');
  const std::size_t end = text.rfind(':');
  for (int call = 0; call < Calls; ++call)
    if (names[static_cast<std::size_t>(call)] == text.substr(0, colon)) failingCall = call;
  for (const auto& [name, error] : errors)
    if (name == text.substr(end + 1)) failingError = error;
  failingNumber = std::atol(wish + colon + 1);
  failsOn = text[end - 1] == '+';
  if (failingCall == Calls || failingError == 0 || failingNumber < 1) {
    tell("not understood\n");
    syscall(SYS_exit_group, 99);
  }
}

/// What the next library has of that name.
template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int (*programMain)(int, char**, char**) = nullptr;

int countedMain(int argc, char** argv, char** environment) {
  readWish();
  counting = true;
  const int code = programMain(argc, argv, environment);
  counting = false;
  for (std::size_t call = 0; call < Calls; ++call) tellNumber(names[call], counts[call]);
  return code;
}

/// BANKSIDE_FAULT_SIGNAL="15": that signal, before main begins and libraries of the program are set up.
[[gnu::constructor]] void raiseWanted() {
  const char* const wanted = std::getenv("BANKSIDE_FAULT_SIGNAL");
  if (wanted != nullptr) syscall(SYS_kill, getpid(), std::atoi(wanted));
}

int openIn(int folder, const char* path, int flags, va_list rest) {
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  return fails(Open) ? -1 : static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}

/// A read or a write, of all or of half, or none.
template <class Transfer>
ssize_t transfer(Call call, std::size_t size, const Transfer& real) {
  const int error = fault(call);
  if (error == half && size > 1) return real(size / 2);
  if (error <= 0) return real(size);
  errno = error;
  return -1;
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*loader)(), void* stack) {
  programMain = main;
  using Start = int(decltype(main), int, char**, void (*)(), void (*)(), void (*)(), void*);
  return real<Start>("__libc_start_main")(countedMain, argc, argv, init, fini, loader, stack);
}

void* malloc(std::size_t size) { return fails(Memory) ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) {
  return fails(Memory) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  return fails(Memory) ? nullptr : __libc_realloc(memory, size);
}
void* memalign(std::size_t to, std::size_t size) {
  return fails(Memory) ? nullptr : __libc_memalign(to, size);
}
void* aligned_alloc(std::size_t to, std::size_t size) { return memalign(to, size); }
int posix_memalign(void** memory, std::size_t to, std::size_t size) {
  void* const taken = memalign(to, size);
  if (taken != nullptr) *memory = taken;
  return taken == nullptr ? ENOMEM : 0;
}
void* mmap(void* at, std::size_t size, int protection, int flags, int file, off_t offset) {
  if (fails(Memory)) return MAP_FAILED;
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, size, protection, flags, file, offset));
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* with) {
  if (const int error = fault(Thread); error > 0) return error;
  return real<decltype(pthread_create)>("pthread_create")(thread, attributes, run, with);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const int file = openIn(AT_FDCWD, path, flags, rest);
  va_end(rest);
  return file;
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));
int openat(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const int file = openIn(folder, path, flags, rest);
  va_end(rest);
  return file;
}
int openat64(int folder, const char* path, int flags, ...) __attribute__((alias("openat")));
std::FILE* fopen(const char* path, const char* mode) {
  return fails(Open) ? nullptr : real<decltype(fopen)>("fopen")(path, mode);
}
std::FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }
DIR* opendir(const char* path) { return fails(Open) ? nullptr : real<decltype(opendir)>("opendir")(path); }

ssize_t read(int file, void* to, std::size_t size) {
  return transfer(Read, size, [&](std::size_t part) { return syscall(SYS_read, file, to, part); });
}
ssize_t pread(int file, void* to, std::size_t size, off_t at) {
  return transfer(Read, size, [&](std::size_t part) { return syscall(SYS_pread64, file, to, part, at); });
}
ssize_t pread64(int file, void* to, std::size_t size, off64_t at) __attribute__((alias("pread")));
ssize_t write(int file, const void* from, std::size_t size) {
  return transfer(Write, size, [&](std::size_t part) { return syscall(SYS_write, file, from, part); });
}
ssize_t pwrite(int file, const void* from, std::size_t size, off_t at) {
  return transfer(Write, size, [&](std::size_t part) { return syscall(SYS_pwrite64, file, from, part, at); });
}
ssize_t pwrite64(int file, const void* from, std::size_t size, off64_t at) __attribute__((alias("pwrite")));
ssize_t writev(int file, const iovec* parts, int count) {
  return fails(Write) ? -1 : syscall(SYS_writev, file, parts, count);
}

int fsync(int) { return fails(Sync) ? -1 : 0; }
int fdatasync(int) { return fails(Sync) ? -1 : 0; }
int close(int file) {
  const bool failing = fails(Close);  // and is closed all the same
  const int error = errno;
  const long done = syscall(SYS_close, file);
  if (failing) errno = error;
  return failing ? -1 : static_cast<int>(done);
}

int rename(const char* from, const char* to) {
  return fails(Place) ? -1 : real<decltype(rename)>("rename")(from, to);
}
int renameat2(int folder, const char* from, int other, const char* to, unsigned flags) {
  return fails(Place) ? -1 : real<decltype(renameat2)>("renameat2")(folder, from, other, to, flags);
}
int link(const char* from, const char* to) {
  return fails(Place) ? -1 : real<decltype(link)>("link")(from, to);
}
int unlink(const char* path) { return fails(Unlink) ? -1 : real<decltype(unlink)>("unlink")(path); }
int unlinkat(int folder, const char* path, int flags) {
  return fails(Unlink) ? -1 : real<decltype(unlinkat)>("unlinkat")(folder, path, flags);
}
int rmdir(const char* path) { return fails(Unlink) ? -1 : real<decltype(rmdir)>("rmdir")(path); }
int mkdir(const char* path, mode_t mode) {
  return fails(Folder) ? -1 : real<decltype(mkdir)>("mkdir")(path, mode);
}
int flock(int file, int how) { return fails(Lock) ? -1 : real<decltype(flock)>("flock")(file, how); }
int ftruncate(int file, off_t size) {
  return fails(Cut) ? -1 : static_cast<int>(syscall(SYS_ftruncate, file, size));
}
int ftruncate64(int file, off64_t size) __attribute__((alias("ftruncate")));

int stat(const char* path, struct stat* status) {
  return fails(Look) ? -1 : real<decltype(stat)>("stat")(path, status);
}
int lstat(const char* path, struct stat* status) {
  return fails(Look) ? -1 : real<decltype(lstat)>("lstat")(path, status);
}
int fstat(int file, struct stat* status) {
  return fails(Look) ? -1 : real<decltype(fstat)>("fstat")(file, status);
}
int fstatat(int folder, const char* path, struct stat* status, int flags) {
  return fails(Look) ? -1 : real<decltype(fstatat)>("fstatat")(folder, path, status, flags);
}

}  // extern "C"
