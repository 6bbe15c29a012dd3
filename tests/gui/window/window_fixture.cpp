#include "tests/gui/window/window_fixture.h"

#include <tiffio.h>
#include <QAction>
#include <QApplication>
#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMimeData>
#include <QTimer>
#include <fstream>
#include <iterator>

#include "gui/window/shell/banner.h"
#include "kernels/engines.h"
#include "tests/gui/window/picture_folder.h"

namespace bankside::testing {

std::string bytesOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void writePages(const std::filesystem::path& file) {
  TIFF* tiff = TIFFOpen(file.c_str(), "w");
  ASSERT_NE(tiff, nullptr);
  for (int page = 0; page < 3; ++page) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 40);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 30);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 30);
    for (int y = 0; y < 30; ++y) {
      std::vector<unsigned char> row(40);
      for (int x = 0; x < 40; ++x)
        row[static_cast<std::size_t>(x)] = static_cast<unsigned char>(x * 5 + y + 40 * page);
      TIFFWriteScanline(tiff, row.data(), static_cast<std::uint32_t>(y), 0);
    }
    TIFFWriteDirectory(tiff);
  }
  TIFFClose(tiff);
}

WindowFixture::WindowFixture() { makeWindow(); }

void WindowFixture::makeWindow() {
  std::vector<const Engine*> list;
  for (const auto& engine : engines()) list.push_back(engine.get());
  makeWindow(selectEngine, std::move(list));
}

WindowFixture::~WindowFixture() {
  window_ = nullptr;
  workflow_ = nullptr;
  controller_ = nullptr;
}

void WindowFixture::makeWindow(window::SelectEngine select, std::vector<const Engine*> engines) {
  window_ = nullptr;
  workflow_ = nullptr;
  controller_ = nullptr;
  session_ = std::make_unique<window::Session>();
  controller_ = std::make_unique<window::RunController>();
  workflow_ =
      std::make_unique<window::Workflow>(*session_, *controller_, std::move(select), std::move(engines));
  window_ = std::make_unique<window::MainWindow>(*session_, *workflow_, *controller_);
  window_->resize(PictureFolder::wanted() ? PictureFolder::size() : QSize(1300, 800));
  window_->show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get()));
  // A bare X server has no window manager that would do it, and shortcuts belong to the active window.
  QApplication::setActiveWindow(window_.get());
}

void WindowFixture::open(const std::string& name, const Image& image) {
  const auto file = folder_ / name;
  writeImage(file, image, image.type() == ElementType::F32 ? FileFormat::Tiff : FileFormat::Png);
  window_->openPath(QString::fromStdString(file.string()));
  const auto opened = [&] { return session_->picture() && session_->picture()->path == file; };
  ASSERT_TRUE(QTest::qWaitFor(opened, 60000)) << banner().toStdString();
}

bool WindowFixture::chooseBank(const QString& spec) {
  bool made = false;
  const auto listening =
      QObject::connect(controller_.get(), &window::RunController::finished, controller_.get(),
                       [&](window::Work kind, bool) { made = made || kind == window::Work::Bank; });
  workflow_->chooseBank(spec);
  const bool inTime = QTest::qWaitFor([&] { return made; }, 60000);
  QObject::disconnect(listening);
  return inTime && session_->recipe().stages.front().bank == spec.toStdString() &&
         session_->bank() != nullptr;
}

bool WindowFixture::settled(int milliseconds) {
  QTest::qWait(1);  // requests are made when the events of a change are done
  return QTest::qWaitFor(
      [&] {
        return !controller_->busy() && session_->missingPlanes().empty() && !session_->photographMissing() &&
               !session_->maskMissing() && session_->unmeasured().empty();
      },
      milliseconds);
}

void WindowFixture::trigger(const char* action) {
  if (auto* found = find<QAction>(action)) found->trigger();
}

void WindowFixture::click(QAbstractButton* button) {
  ASSERT_NE(button, nullptr);
  ASSERT_TRUE(button->isVisible() && button->isEnabled()) << button->text().toStdString();
  QTest::mouseClick(button, Qt::LeftButton, {}, {8, 8});
}

void WindowFixture::clickAndChoose(QAbstractButton* button, const std::filesystem::path& path) {
  QTimer looking;
  QObject::connect(&looking, &QTimer::timeout, &looking, [&] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr || !dialog->isVisible()) return;
    looking.stop();
    dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))
        ->setText(QString::fromStdString(path.string()));
    click(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open));
  });
  looking.start(10);
  click(button);
  EXPECT_TRUE(QTest::qWaitFor([&] { return !looking.isActive(); }, 60000)) << "no dialog came up";
  QApplication::setActiveWindow(window_.get());
}

QPushButton* WindowFixture::offer(const QString& title) {
  for (auto* button : window_->findChildren<QPushButton*>()) {
    if (button->isVisible() && button->text() == title &&
        button->objectName().startsWith(QStringLiteral("paneOffer")))
      return button;
  }
  return nullptr;
}

void WindowFixture::drop(const QMimeData& data) {
  QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window_.get(), &enter);
  QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window_.get(), &drop);
}

QString WindowFixture::banner() { return window_->findChild<window::Banner*>()->sentence(); }

}  // namespace bankside::testing
