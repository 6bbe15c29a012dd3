/// Run with LD_PRELOAD=libbankside-filter2d.so and BANKSIDE_PRELOAD=all: whatever can be taken is.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>
#include <vector>

#include "tests/library/preload/both_ways.h"

namespace bankside::testing {
namespace {

cv::Mat noise(int height, int width, int type, std::uint64_t seed) {
  cv::RNG random(seed);
  cv::Mat image(height, width, type);
  const double high = CV_MAT_DEPTH(type) == CV_8U ? 256 : CV_MAT_DEPTH(type) == CV_16U ? 65536 : 1;
  random.fill(image, cv::RNG::UNIFORM, 0, high);
  return image;
}

cv::Mat taps(int height, int width, int type, std::uint64_t seed) {
  cv::RNG random(seed);
  cv::Mat kernel(height, width, type);
  random.fill(kernel, cv::RNG::UNIFORM, -1, 1);
  return kernel;
}

/// What OpenCV's own tests allow between two ways to sum: a unit of integers, roundings of f32.
void expectSame(const Problem& p) {
  const cv::Mat ours = byWhoeverAnswers(p), theirs = byOpenCv(p);
  ASSERT_EQ(ours.type(), theirs.type());
  const double largest = cv::norm(p.image, cv::NORM_INF) * cv::norm(p.taps, cv::NORM_L1);
  EXPECT_LE(cv::norm(ours, theirs, cv::NORM_INF), ours.depth() == CV_32F ? 1e-6 * largest : 1)
      << p.image.size() << " type " << p.image.type() << " taps " << p.taps.size() << " to " << p.resultDepth
      << " border " << p.border;
}

bool interposed() { return dlsym(RTLD_DEFAULT, filter2DSymbol) != reinterpret_cast<void*>(openCvFilter2D()); }

class Preload : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(interposed()) << "run by ctest, which sets LD_PRELOAD"; }
};

TEST_F(Preload, GivesWhatOpenCvGives) {
  const std::pair<int, int> types[] = {
      {CV_8U, CV_8U}, {CV_8U, CV_32F}, {CV_16U, CV_16U}, {CV_16U, CV_32F}, {CV_32F, CV_32F}};
  std::uint64_t seed = 1;
  for (const auto& [from, to] : types)
    for (const int channels : {1, 3, 4})
      for (const cv::Size size :
           {cv::Size(3, 3), cv::Size(5, 2), cv::Size(9, 9), cv::Size(1, 31), cv::Size(25, 25)})
        for (const int border :
             {cv::BORDER_REFLECT_101, cv::BORDER_CONSTANT, cv::BORDER_REPLICATE, cv::BORDER_REFLECT})
          expectSame({noise(61, 83, CV_MAKETYPE(from, channels), ++seed),
                      taps(size.height, size.width, CV_32F, ++seed),
                      to,
                      {-1, -1},
                      border});
}

TEST_F(Preload, TakesAnchorsAndTapsOfDoubles) {
  const cv::Mat image = noise(120, 100, CV_32F, 7);
  expectSame({image, taps(5, 7, CV_32F, 8), CV_32F, {0, 4}});
  expectSame({image, taps(5, 7, CV_64F, 9), CV_32F, {6, 0}});
}

TEST_F(Preload, LeavesToOpenCvWhatItCannotGive) {
  const cv::Mat image = noise(90, 110, CV_8U, 3), kernel = taps(5, 5, CV_32F, 4);
  const auto same = [](const Problem& p) {
    EXPECT_EQ(cv::norm(byWhoeverAnswers(p), byOpenCv(p), cv::NORM_INF), 0);
  };
  same({image, kernel, CV_16S});
  same({image, kernel, CV_32F, {-1, -1}, cv::BORDER_REFLECT_101, 3.5});
  same({image(cv::Rect(10, 12, 60, 50)), kernel, CV_32F});
  same({noise(3, 4, CV_8U, 5), kernel, CV_32F});
  cv::Mat place = image.clone();
  cv::filter2D(place, place, CV_8U, kernel);
  EXPECT_EQ(cv::norm(place, byOpenCv({image, kernel, CV_8U}), cv::NORM_INF), 0);
}

TEST_F(Preload, TakesPartsThatAreToBeSeenAlone) {
  const cv::Mat image = noise(90, 110, CV_8U, 3);
  expectSame({image(cv::Rect(10, 12, 60, 50)),
              taps(5, 5, CV_32F, 4),
              CV_32F,
              {-1, -1},
              cv::BORDER_REFLECT_101 | cv::BORDER_ISOLATED});
}

/// Transforms would round it all as the bright pixel is rounded.
TEST_F(Preload, ABrightPixelTouchesWhatItsWindowSeesAlone) {
  cv::Mat image = noise(200, 300, CV_32F, 3);
  image.at<float>(20, 20) = 1e6F;
  const Problem p{image, taps(15, 15, CV_32F, 4)};
  const cv::Rect far(60, 0, 240, 200);
  EXPECT_LE(cv::norm(byWhoeverAnswers(p)(far), byOpenCv(p)(far), cv::NORM_INF), 1e-3);
}

TEST_F(Preload, SeesNothingUnderTapsOfZero) {
  cv::Mat image = noise(64, 64, CV_32F, 3);
  image.at<float>(20, 20) = std::numeric_limits<float>::infinity();
  const cv::Mat plus = (cv::Mat_<float>(3, 3) << 0, 1, 0, 1, 1, 1, 0, 1, 0);
  const Problem p{image, plus};
  const cv::Mat ours = byWhoeverAnswers(p), theirs = byOpenCv(p);
  EXPECT_TRUE(std::isfinite(ours.at<float>(19, 19)));
  EXPECT_EQ(ours.at<float>(20, 21), theirs.at<float>(20, 21));
}

TEST_F(Preload, LaplacianIsTakenToo) {
  const cv::Mat image = noise(200, 150, CV_32F, 3);
  cv::Mat result;
  cv::Laplacian(image, result, CV_32F, 3);
  const cv::Mat kernel = (cv::Mat_<float>(3, 3) << 2, 0, 2, 0, -8, 0, 2, 0, 2);
  EXPECT_LE(cv::norm(result, byOpenCv({image, kernel}), cv::NORM_INF), 1e-5);
}

TEST_F(Preload, ThreadsFilterAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 40; ++i)
        expectSame({noise(64, 64 + i % 3, CV_8U, static_cast<std::uint64_t>(100 * t + i)),
                    taps(7, 7, CV_32F, 1), CV_32F});
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_F(Preload, AForkedChildFilters) {
  const Problem p{noise(300, 400, CV_8U, 3), taps(9, 9, CV_32F, 4)};
  const cv::Mat parent = byWhoeverAnswers(p);
  const pid_t child = fork();
  if (child == 0) _exit(cv::norm(byWhoeverAnswers(p), parent, cv::NORM_INF) == 0 ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

/// What this program says, run again for one of its tests.
std::string saidWith(const std::string& word) {
  const std::string command = "BANKSIDE_PRELOAD=" + word + " /proc/" + std::to_string(getpid()) +
                              "/exe --gtest_filter=PreloadProgram.* --gtest_also_run_disabled_tests 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "no pipe";
  std::string said;
  for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) said.push_back(static_cast<char>(c));
  EXPECT_EQ(pclose(pipe), 0);
  return said;
}

TEST(PreloadReport, AWordThatIsNoneIsSaidOnce) {
  const std::string said = saidWith("bogus");
  const std::string sentence = "bankside: BANKSIDE_PRELOAD=bogus is none of report, all and off";
  const std::size_t at = said.find(sentence);
  ASSERT_NE(at, std::string::npos) << said;
  EXPECT_EQ(said.find(sentence, at + 1), std::string::npos) << said;
  for (const char* word : {"", "all", "off", "report"})
    EXPECT_EQ(saidWith(word).find("is none of"), std::string::npos) << word;
}

TEST(PreloadReport, SaysWhatWasTakenAndWhatWasNot) {
  const std::string said = saidWith("report");
  EXPECT_NE(said.find("8U to 32F, 1200 x 900 x 1, filter 15 x 15"), std::string::npos) << said;
  EXPECT_NE(said.find("taken, "), std::string::npos) << said;
  EXPECT_NE(said.find("left to OpenCV: a small image"), std::string::npos) << said;
}

TEST(PreloadProgram, DISABLED_FiltersThreeTimes) {
  for (int i = 0; i < 2; ++i) byWhoeverAnswers({noise(900, 1200, CV_8U, 1), taps(15, 15, CV_32F, 2)});
  byWhoeverAnswers({noise(16, 16, CV_8U, 1), taps(3, 3, CV_32F, 2)});
}

}  // namespace
}  // namespace bankside::testing
