#include "core/imageio/decoder_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include "core/stopping.h"

namespace bankside::codec {
namespace {

/// Closed where it ends.
struct OwnDescriptor {
  explicit OwnDescriptor(int opened) : number(opened) {}
  ~OwnDescriptor() {
    if (number >= 0) ::close(number);
  }
  OwnDescriptor(const OwnDescriptor&) = delete;
  OwnDescriptor& operator=(const OwnDescriptor&) = delete;
  int number;
};

[[noreturn]] void failToStart(const std::string& what) {
  throw Error(ErrorCode::Io, "no process that decodes could be started: " + what);
}

/// What neither side can make smaller: a page that is gone would end who looks at it.
int makeShared() {
  const int memory = memfd_create("bankside", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory < 0) failToStart(std::strerror(errno));
  if (ftruncate(memory, static_cast<off_t>(sharedBytes)) != 0 ||
      fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    const int reason = errno;
    ::close(memory);
    failToStart(std::strerror(reason));
  }
  return memory;
}

/// Ours, and that a linear algebra library which a codec may bring starts no threads: whoever decodes may
/// not.
std::vector<std::string> environmentOfDecoder() {
  std::vector<std::string> all = {"OPENBLAS_NUM_THREADS=1"};
  for (char** each = environ; *each != nullptr; ++each)
    if (std::strncmp(*each, "OPENBLAS_NUM_THREADS=", 21) != 0) all.emplace_back(*each);
  return all;
}

/// Of `words`, a null pointer behind.
std::vector<char*> pointersTo(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

/// With the socket as descriptor 0 and nothing else. It is not reached by Ctrl-C.
pid_t start(const std::vector<std::string>& words, int socket) {
  std::vector<std::string> kept = words;
  std::vector<std::string> environment = environmentOfDecoder();
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t process = -1;
  const int failure = posix_spawn(&process, kept.front().c_str(), &files, &attributes,
                                  pointersTo(kept).data(), pointersTo(environment).data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (failure != 0) failToStart(std::strerror(failure));
  return process;
}

}  // namespace

DecoderProcess::DecoderProcess(const std::vector<std::string>& words, int seconds) : seconds_(seconds) {
  int sockets[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) failToStart(std::strerror(errno));
  OwnDescriptor ours(sockets[0]);
  const OwnDescriptor theirs(sockets[1]);
  const OwnDescriptor memory(makeShared());
  shared_ = mapShared(memory.number);
  try {
    process_ = start(words, theirs.number);
    socket_ = std::exchange(ours.number, -1);
    const DecoderReply reply = begin(memory.number);
    if (reply.kind != DecoderReply::Done || reply.shared != 0) {
      const auto length = std::clamp<std::int64_t>(reply.shared, 0, static_cast<std::int64_t>(sharedBytes));
      throw Error(ErrorCode::Unsupported,
                  std::string(reinterpret_cast<const char*>(shared_), static_cast<std::size_t>(length)));
    }
  } catch (...) {
    end();
    ::munmap(shared_, sharedBytes);
    throw;
  }
}

DecoderProcess::~DecoderProcess() {
  end();
  ::munmap(shared_, sharedBytes);
}

DecoderReply DecoderProcess::begin(int memory) {
  try {
    return exchange({.kind = DecoderRequest::Begin}, memory);
  } catch (const Error&) {
    failToStart("it ended at once");
  }
}

DecoderReply DecoderProcess::exchange(const DecoderRequest& request, int descriptor) {
  if (!sendMessage(socket_, &request, sizeof(request), descriptor)) failEnded();
  while (true) {
    pollfd answer{socket_, POLLIN, 0};
    constexpr int patience = 100;  // milliseconds until the next look at the program's end
    if (poll(&answer, 1, patience) > 0) break;
    if (programStops()) {
      end();
      throwIfProgramStops();
    }
  }
  DecoderReply reply;
  int stranger = -1;
  const bool whole = receiveMessage(socket_, &reply, sizeof(reply), stranger);
  if (stranger >= 0) ::close(stranger);
  if (!whole) failEnded();
  return reply;
}

DecoderReply DecoderProcess::ask(
    const DecoderRequest& request, int descriptor, const ReadableFile& file, double pixels,
    const std::function<void(const DecoderReply&, std::span<const std::byte>)>& take) {
  const std::lock_guard lock(mutex_);
  DecoderReply reply;
  try {
    if (!alive()) throw Error(ErrorCode::Io, "is not decoded: what decoded it has ended");
    allowTime(pixels);
    reply = exchange(request, descriptor);
  } catch (const Error& error) {
    file.fail(error.code(), error.what());  // Cancelled is none of these
  }
  if (reply.kind == DecoderReply::NoMemory) throw std::bad_alloc();
  if (reply.shared < 0 || reply.shared > static_cast<std::int64_t>(sharedBytes))
    file.damaged("makes what decodes it answer nonsense");
  const std::span answer(shared_, static_cast<std::size_t>(reply.shared));
  if (reply.kind != DecoderReply::Done) {
    const bool known = reply.error >= 0 && reply.error <= static_cast<int>(ErrorCode::Limit);
    // The other side does not know the name: its sentence begins with the colon.
    throw Error(
        known ? static_cast<ErrorCode>(reply.error) : ErrorCode::BadInput,
        file.path().string() + std::string(reinterpret_cast<const char*>(answer.data()), answer.size()));
  }
  if (take) take(reply, answer);
  return reply;
}

void DecoderProcess::allowTime(double pixels) const {
  clockid_t clock{};
  timespec used{};
  if (clock_getcpuclockid(process_, &clock) != 0 || clock_gettime(clock, &used) != 0) return;
  const rlim_t most = static_cast<rlim_t>(used.tv_sec + 1 + seconds_) + static_cast<rlim_t>(pixels / 1e6);
  const rlimit limit{most, RLIM_INFINITY};
  prlimit(process_, RLIMIT_CPU, &limit, nullptr);
}

void DecoderProcess::failEnded() {
  const int status = end();
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU) throw Error(ErrorCode::Limit, "takes more time to decode than --untrusted allows");
  if (signal == SIGKILL)
    throw Error(ErrorCode::Io, "is not decoded: what decodes it was killed, perhaps for want of memory");
  if (signal == SIGSYS) throw Error(ErrorCode::BadInput, "makes its decoder do what --untrusted forbids");
  const std::string how =
      signal != 0 ? std::string(strsignal(signal)) : "exit code " + std::to_string(WEXITSTATUS(status));
  throw Error(ErrorCode::BadInput, "ended the process that decodes it (" + how + ")");
}

/// Its status.
int DecoderProcess::end() {
  int status = 0;
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
  if (process_ <= 0) return status;
  // One that has ended already keeps how.
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

}  // namespace bankside::codec
