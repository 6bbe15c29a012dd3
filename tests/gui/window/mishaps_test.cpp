/// What must never be more than one sentence: vanished files and folders, a full disk, images too large.
#include <sys/resource.h>

#include <QTimer>
#include <csignal>
#include <fstream>

#include "core/error.h"
#include "gui/window/panels/folder_strip.h"
#include "gui/window/session/session_file.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;
using bankside::testing::TemporaryFolder;
using bankside::testing::WindowFixture;

/// Files may not grow beyond so many bytes while this lives: a disk that is full there.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &limit_);
    rlimit small = limit_;
    small.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, before_);
  }

 private:
  rlimit limit_{};
  void (*before_)(int);
};

class Mishaps : public WindowFixture {
 protected:
  void openPhoto() {
    open("photo.png", randomImage(1, 90, 120, ElementType::U8));
    ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
    ASSERT_TRUE(settled());
  }
};

TEST_F(Mishaps, AFileThatVanishesIsSaidAndItsPictureStays) {
  openPhoto();
  std::filesystem::remove(folder_ / "photo.png");
  ASSERT_TRUE(QTest::qWaitFor([&] { return banner().contains(QStringLiteral("is gone")); }, 60000));
  EXPECT_NE(session_->picture(), nullptr);
  trigger("actionPanes4");
  EXPECT_TRUE(settled()) << "and can still be filtered";
}

TEST_F(Mishaps, ADeletedFolderIsSaidAndNothingElseHappens) {
  openPhoto();
  std::filesystem::create_directory(folder_ / "deep");
  std::filesystem::copy_file(folder_ / "photo.png", folder_ / "deep" / "a.png");
  const QString lost = QString::fromStdString((folder_ / "deep" / "a.png").string());
  window_->openPath(lost);
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->state().imagePath == lost; }, 60000));
  std::filesystem::remove_all(folder_ / "deep");
  window_->openPath(lost);
  ASSERT_TRUE(QTest::qWaitFor([&] { return banner().contains(QStringLiteral("a.png")); }, 60000));
  auto* strip = find<FolderStrip>("folderStrip");
  strip->show();
  EXPECT_TRUE(settled());

  // An export into a place that cannot be a folder.
  std::ofstream(folder_ / "file") << "x";
  // The banner may say by then that the picture is gone.
  QString refused;
  QObject::connect(workflow_.get(), &Workflow::problem, window_.get(),
                   [&](const QString& sentence, Work work) {
                     if (work == Work::Export) refused = sentence;
                   });
  workflow_->exportResponses(QString::fromStdString((folder_ / "file" / "out").string()), false);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !refused.isEmpty(); }, 60000));
  EXPECT_TRUE(refused.contains(QStringLiteral("folder"))) << refused.toStdString();
}

TEST_F(Mishaps, AFullDiskIsSaidAndNoHalfFileIsLeft) {
  openPhoto();
  const auto out = folder_ / "out";
  {
    const FullDisk full(1000);
    workflow_->exportResponses(QString::fromStdString(out.string()), false);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !banner().isEmpty(); }, 60000));
    EXPECT_FALSE(saveSession(QString::fromStdString((folder_ / "session.json").string()),
                             {session_->state(), QByteArray(2000, 'x'), {}, {}}));
  }
  EXPECT_TRUE(banner().contains(QStringLiteral("out"))) << banner().toStdString();
  EXPECT_TRUE(!std::filesystem::exists(out) || std::filesystem::is_empty(out));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "session.json"));
  EXPECT_FALSE(workflow_->lastExport().has_value());
  // With room again it works.
  workflow_->exportResponses(QString::fromStdString(out.string()), false);
  EXPECT_TRUE(QTest::qWaitFor([&] { return workflow_->lastExport().has_value(); }, 60000));
}

TEST(OpenPicture, WhatNeitherFitsNorComesInRowsIsRefused) {
  const TemporaryFolder folder;
  // Columns first, as no file that is read in rows.
  std::string header = "{'descr': '<f4', 'fortran_order': True, 'shape': (200, 300), }";
  header.resize(117, ' ');
  std::ofstream file(folder / "columns.npy", std::ios::binary);
  file << "\x93NUMPY\x01" << '\0' << 'v' << '\0' << header << '\n' << std::string(200 * 300 * 4, '\0');
  file.close();
  EXPECT_NO_THROW(openPicture(folder / "columns.npy", 0, false, 4 << 20));
  try {
    openPicture(folder / "columns.npy", 0, false, 1 << 20);
    FAIL() << "four planes of 60,000 pixels do not fit into 0.75 MiB";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Limit);
    EXPECT_NE(std::string(error.what()).find("in rows"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace bankside::window
