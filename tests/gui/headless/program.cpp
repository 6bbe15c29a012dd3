#include "tests/gui/headless/program.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

/// In the child, before it becomes the program: a disk that only this process sees and that ends with it.
bool mountSmallDisk(const std::string& folder) {
  return unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=64k") == 0;
}

using InChild = std::function<void()>;

pid_t start(std::vector<std::string> words, const std::string& out, const std::string& err,
            const InChild& prepare = {}) {
  words.insert(words.begin(), BANKSIDE_PROGRAM);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child > 0) return child;
  const int outFile = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int errFile = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(outFile, STDOUT_FILENO);
  dup2(errFile, STDERR_FILENO);
  close(outFile);
  close(errFile);
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) ::signal(signal, SIG_DFL);
  if (prepare) prepare();
  execv(argv[0], argv.data());
  _exit(127);
}

/// Whether a signal that asks for an end finds somebody who takes it: SIGINT is blocked for all threads but
/// the one that waits for it.
bool listens(pid_t child) {
  std::ifstream status("/proc/" + std::to_string(child) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("SigBlk:", 0) != 0) continue;
    return (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1) != 0;
  }
  return false;
}

Outcome finish(pid_t child, const std::string& out, const std::string& err) {
  siginfo_t ended{};
  waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);  // what it did is still to be seen
  long reads = -1;
  std::ifstream io("/proc/" + std::to_string(child) + "/io");
  for (std::string word; io >> word;)
    if (word == "syscr:") io >> reads;
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), fileText(out), fileText(err), reads,
          usage.ru_maxrss * 1024};
}

}  // namespace

Outcome bankside(const std::vector<std::string>& words) { return banksideAfter({}, words); }

Outcome banksideAfter(const InChild& prepare, const std::vector<std::string>& words) {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  const std::string err = folder / "err";
  return finish(start(words, out, err, prepare), out, err);
}

void limitTo(int resource, std::uint64_t most) {
  const rlimit limit{most, most};
  setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

std::pair<Outcome, Outcome> banksideTwice(const std::vector<std::string>& words,
                                          const std::vector<std::string>& otherWords) {
  const TemporaryFolder folder;
  const pid_t one = start(words, folder / "out", folder / "err");
  const pid_t other = start(otherWords, folder / "other-out", folder / "other-err");
  Outcome first = finish(one, folder / "out", folder / "err");
  return {std::move(first), finish(other, folder / "other-out", folder / "other-err")};
}

Outcome banksideWithFileLimit(const std::vector<std::string>& words, long bytes) {
  return banksideAfter([&] { limitTo(RLIMIT_FSIZE, static_cast<std::uint64_t>(bytes)); }, words);
}

Outcome banksideWithMemoryLimit(const std::vector<std::string>& words, long bytes) {
  return banksideAfter([&] { limitTo(RLIMIT_AS, static_cast<std::uint64_t>(bytes)); }, words);
}

Outcome banksideOnSmallDisk(const std::vector<std::string>& words, const std::filesystem::path& disk) {
  return banksideAfter(
      [&] {
        if (!mountSmallDisk(disk)) raise(SIGHUP);
      },
      words);
}

Outcome banksideKilled(const std::vector<std::string>& words, int signal,
                       const std::function<bool()>& event) {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  const std::string err = folder / "err";
  const pid_t child = start(words, out, err);
  while (!(listens(child) && event())) {
    siginfo_t ended{};
    if (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        ended.si_pid != 0)
      return finish(child, out, err);
    poll(nullptr, 0, 1);
  }
  kill(child, signal);
  return finish(child, out, err);
}

std::string fileText(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> filesIn(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  if (!std::filesystem::exists(folder)) return names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace bankside::testing
