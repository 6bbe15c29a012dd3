/// --untrusted: the same results from processes that can do nothing else, or no run at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <iterator>

#include "core/imageio/image_io.h"
#include "tests/core/imageio/image_files.h"
#include "tests/gui/headless/program.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Untrusted : public ::testing::Test {
 protected:
  Untrusted() {
    std::filesystem::create_directory(scans);
    for (int i = 0; i < 3; ++i)
      writeImage(scans / ("image" + std::to_string(i) + ".png"), integerImage(3, 40 + i, 50, ElementType::U8),
                 FileFormat::Png);
  }

  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers make calls to the system that a decoder may not make";
#endif
  }

  static void expectSameFiles(const Path& a, const Path& b) {
    EXPECT_FALSE(filesIn(a).empty());
    ASSERT_EQ(filesIn(a), filesIn(b));
    for (const std::string& name : filesIn(a)) EXPECT_EQ(fileText(a / name), fileText(b / name)) << name;
  }

  TemporaryFolder folder;
  Path scans = folder / "scans";
};

TEST_F(Untrusted, FilterGivesTheSameFilesAndOutcome) {
  writeBytes(scans / "huge.pgm", "P5 60000 60000 255\nab");
  writeBytes(scans / "short.png", "\x89PNG\r\n");
  const auto run = [&](const std::string& output, const std::string& option) {
    return bankside({"filter", scans, "--bank", "sobel", "--memory", "64M", "-o", folder / output, option});
  };
  const Outcome plain = run("plain", "--no-progress");
  const Outcome sandboxed = run("sandboxed", "--untrusted");
  EXPECT_EQ(plain.exitCode, 3);
  EXPECT_EQ(sandboxed.exitCode, 3);
  EXPECT_THAT(sandboxed.err, HasSubstr("huge.pgm: is cut short"));
  expectSameFiles(folder / "plain", folder / "sandboxed");
}

TEST_F(Untrusted, OtherCommandsTakeIt) {
  const auto batch = [&](const std::string& output, const std::string& option) {
    return bankside({"batch", scans, folder / output, "--bank", "sobel", "--no-progress", option});
  };
  EXPECT_EQ(batch("plain", "--force").exitCode, 0);
  EXPECT_EQ(batch("sandboxed", "--untrusted").exitCode, 0);
  EXPECT_EQ(fileText(folder / "sandboxed/image0.red.horizontal.tiff"),
            fileText(folder / "plain/image0.red.horizontal.tiff"));
  EXPECT_EQ(bankside({"compare", scans / "image0.png", "--bank", "sobel", "--channel", "green", "--engines",
                      "cpu", "--threads", "1", "--rounds", "1", "--seconds", "0", "--untrusted"})
                .exitCode,
            0);
  EXPECT_THAT(bankside({"evaluate", "--responses", scans, "--truth", folder / "none", "--untrusted"}).err,
              Not(HasSubstr("sandbox")));
}

/// In the process to be: as if the system knew no seccomp.
void forgetSeccomp() {
  sock_filter calls[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{static_cast<unsigned short>(std::size(calls)), calls};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

TEST_F(Untrusted, NothingIsDecodedWhereTheSystemConfinesNobody) {
  const Outcome run = banksideAfter(forgetSeccomp, {"filter", scans, "--bank", "sobel", "-o", folder / "out",
                                                    "--untrusted", "--no-progress"});
  EXPECT_EQ(run.exitCode, 2);
  EXPECT_THAT(run.err, HasSubstr("--untrusted needs seccomp, which this system does not give"));
  EXPECT_TRUE(filesIn(folder / "out").empty());
}

TEST_F(Untrusted, StartedByHandItSaysNothing) {
  EXPECT_EQ(bankside({"sandboxed-decoder", "1000"}).exitCode, 2);
}

}  // namespace
}  // namespace bankside::testing
