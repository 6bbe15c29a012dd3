#include "core/free_memory.h"

#include <gtest/gtest.h>
#include <fstream>

#include "tests/support/made_images.h"

namespace bankside {
namespace {

class FreeMemory : public ::testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) {
    const auto path = folder_ / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::int64_t found() { return freeMemory(folder_.path()); }
  testing::TemporaryFolder folder_;
};

TEST_F(FreeMemory, IsWhatTheMachineHasOrWhatItsGroupsAllow) {
  EXPECT_EQ(found(), 0);
  write("proc/meminfo", "MemTotal:   9000 kB\nMemFree:  100 kB\nMemAvailable:   8000 kB\nBuffers: 1 kB\n");
  EXPECT_EQ(found(), 8000 * 1024);
  write("proc/self/cgroup", "0::/slurm/job\n");
  write("sys/fs/cgroup/slurm/job/memory.max", "max\n");
  write("sys/fs/cgroup/slurm/job/memory.current", "4096\n");
  EXPECT_EQ(found(), 8000 * 1024);
  write("sys/fs/cgroup/slurm/memory.max", "2000000\n");
  write("sys/fs/cgroup/slurm/memory.current", "500000\n");
  EXPECT_EQ(found(), 1500000) << "the group around it";
  write("sys/fs/cgroup/slurm/job/memory.max", "100000\n");
  EXPECT_EQ(found(), 95904);
  write("sys/fs/cgroup/slurm/job/memory.stat", "anon 96\nfile 4000\ninactive_file 4000\n");
  EXPECT_EQ(found(), 99904) << "files that were read are dropped";
  write("sys/fs/cgroup/slurm/job/memory.max", "1000\n");
  write("sys/fs/cgroup/slurm/job/memory.stat", "anon 96\n");
  EXPECT_EQ(found(), 0) << "it has more than it may";
}

TEST_F(FreeMemory, MapsHaveAtLeastWhatIsAlwaysAllowed) {
  const std::int64_t most = std::int64_t{1} << 50;
  EXPECT_EQ(memoryForMaps(most), most);
  EXPECT_GT(memoryForMaps(0), 0) << "half of what is free here";
}

}  // namespace
}  // namespace bankside
