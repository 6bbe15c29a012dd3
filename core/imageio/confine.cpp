#include "core/imageio/confine.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "core/error.h"

namespace bankside::codec {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t machine = 0;
#endif

constexpr int allowed[] = {
    SYS_sendmsg, SYS_recvmsg,    SYS_pread64,   SYS_close,    // the program, and files that it hands over
    SYS_brk,     SYS_munmap,     SYS_mremap,    SYS_madvise,  // memory
    SYS_futex,   SYS_sysinfo,    SYS_getrandom, SYS_clock_gettime,  // what the C library asks for on its own
    SYS_exit,    SYS_exit_group,
};
/// Allowed as long as what is in memory does not become code.
constexpr int allowedWithoutCode[] = {SYS_mmap, SYS_mprotect};

std::vector<sock_filter> filterOfCalls() {
  std::vector<sock_filter> program;
  const auto add = [&](unsigned code, std::size_t value, unsigned whenTrue = 0, unsigned whenFalse = 0) {
    program.push_back({static_cast<std::uint16_t>(code), static_cast<std::uint8_t>(whenTrue),
                       static_cast<std::uint8_t>(whenFalse), static_cast<std::uint32_t>(value)});
  };
  const auto load = [&](std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, offset); };
  const auto end = [&](std::uint32_t verdict) { add(BPF_RET | BPF_K, verdict); };
  const auto unlessEqual = [&](std::size_t value, unsigned skip) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip);
  };
  load(offsetof(seccomp_data, arch));
  add(BPF_JMP | BPF_JEQ | BPF_K, machine, 1, 0);
  end(SECCOMP_RET_KILL_PROCESS);
  load(offsetof(seccomp_data, nr));
  for (const int call : allowed) {
    unlessEqual(static_cast<std::size_t>(call), 1);
    end(SECCOMP_RET_ALLOW);
  }
  for (const int call : allowedWithoutCode) {
    unlessEqual(static_cast<std::size_t>(call), 4);
    load(offsetof(seccomp_data, args) + 2 * sizeof(seccomp_data::args[0]));  // its low half: little endian
    add(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1);
    end(SECCOMP_RET_KILL_PROCESS);
    end(SECCOMP_RET_ALLOW);
  }
  end(SECCOMP_RET_KILL_PROCESS);
  return program;
}

[[noreturn]] void failToConfine(const std::string& what) {
  const std::string reason = errno != 0 ? ": " + std::generic_category().message(errno) : "";
  throw Error(ErrorCode::Unsupported,
              "--untrusted needs " + what + ", which this system does not give" + reason);
}

void limitTo(__rlimit_resource resource, rlim_t most) {
  const rlimit limit{most, most};
  if (setrlimit(resource, &limit) != 0) failToConfine("limits of a process");
}

/// Bytes of data that the process has.
rlim_t dataBytes() {
  std::ifstream file("/proc/self/statm");
  rlim_t pages[6] = {};
  for (rlim_t& count : pages) file >> count;
  if (!file) failToConfine("/proc");
  return pages[5] * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

void confine(std::int64_t memory) {
  errno = 0;
  if (machine == 0) failToConfine("a processor of the kinds x86-64 and aarch64");
  limitTo(RLIMIT_DATA, dataBytes() + static_cast<rlim_t>(memory));
  limitTo(RLIMIT_FSIZE, 0);
  limitTo(RLIMIT_CORE, 0);
  std::vector<sock_filter> calls = filterOfCalls();
  const sock_fprog program{static_cast<unsigned short>(calls.size()), calls.data()};
  if (prctl(PR_SET_DUMPABLE, 0) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
    failToConfine("seccomp");
}

}  // namespace bankside::codec
