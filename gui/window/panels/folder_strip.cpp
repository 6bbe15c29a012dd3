#include "gui/window/panels/folder_strip.h"

#include <QImage>
#include <QLabel>
#include <QListWidget>
#include <QPixmap>
#include <QVBoxLayout>

#include "gui/window/thumbnail.h"

namespace bankside::window {
namespace {

constexpr int side = 96;
constexpr std::size_t mostFiles = 500;

}  // namespace

FolderStrip::FolderStrip(Session& session, Workflow& workflow, RunController& controller, QWidget* parent)
    : QWidget(parent), session_(session), workflow_(workflow), controller_(controller) {
  setObjectName(QStringLiteral("folderStrip"));
  list_ = new QListWidget(this);
  list_->setObjectName(QStringLiteral("folderList"));
  list_->setAccessibleName(tr("Images of the folder"));
  list_->setViewMode(QListView::IconMode);
  list_->setFlow(QListView::LeftToRight);
  list_->setWrapping(false);
  list_->setMovement(QListView::Static);
  list_->setIconSize({side, side});
  list_->setUniformItemSizes(true);
  list_->setGridSize({side + 24, side + 30});
  list_->setTextElideMode(Qt::ElideMiddle);
  list_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  empty_ = new QLabel(tr("The images beside the open one appear here."), this);
  empty_->setAlignment(Qt::AlignCenter);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(4, 4, 4, 4);
  column->addWidget(list_, 1);
  column->addWidget(empty_, 1);
  const auto open = [this](const QListWidgetItem* item) {
    const QString path = item->data(Qt::UserRole).toString();
    if (path != session_.state().imagePath) workflow_.open(path);
  };
  connect(list_, &QListWidget::itemClicked, this, open);
  connect(list_, &QListWidget::itemActivated, this, open);
  connect(&session_, &Session::pictureChanged, this, &FolderStrip::readFolder);
  connect(&controller_, &RunController::finished, this, [this](Work kind, bool cancelled) {
    if (kind == Work::Thumbnails && !cancelled) drawNext();
  });
  readFolder();
}

void FolderStrip::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  readFolder();
}

void FolderStrip::readFolder() {
  if (!isVisible()) return;
  const QString current = session_.state().imagePath;
  auto files = session_.picture() ? imagesBeside(current.toStdString(), mostFiles)
                                  : std::vector<std::filesystem::path>();
  if (files != files_) {
    files_ = std::move(files);
    drawn_ = 0;
    list_->clear();
    QPixmap blank(side, side);
    blank.fill(palette().color(QPalette::Mid));
    for (const auto& file : files_) {
      const QString path = QString::fromStdString(file.string());
      auto* item = new QListWidgetItem(QIcon(blank), QString::fromStdString(file.filename().string()), list_);
      item->setData(Qt::UserRole, path);
      item->setToolTip(path);
    }
    drawNext();
  }
  list_->setVisible(!files_.empty());
  empty_->setVisible(files_.empty());
  std::error_code failure;
  const std::filesystem::path absolute = std::filesystem::absolute(current.toStdString(), failure);
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (files_[i] == absolute) list_->setCurrentRow(static_cast<int>(i));
  }
}

void FolderStrip::drawNext() {
  if (drawn_ >= files_.size()) return;
  const std::size_t index = drawn_++;
  controller_.start(Work::Thumbnails, tr("Drawing thumbnails"),
                    [this, index, file = files_[index]](RunController::Context& context) {
                      Thumbnail thumbnail;
                      QString problem;
                      try {
                        thumbnail = readThumbnail(file, side);
                      } catch (const std::exception& error) {
                        problem = QString::fromUtf8(error.what());
                      }
                      context.deliver([this, index, file, thumbnail, problem] {
                        if (index >= files_.size() || files_[index] != file) return;
                        QListWidgetItem* item = list_->item(static_cast<int>(index));
                        if (!problem.isEmpty()) return item->setToolTip(problem);
                        const QImage image(reinterpret_cast<const uchar*>(thumbnail.pixels.data()),
                                           thumbnail.width, thumbnail.height, thumbnail.width * 4,
                                           QImage::Format_RGB32);
                        // A pixmap may go on using the image's memory, which is the thumbnail's.
                        item->setIcon(QIcon(QPixmap::fromImage(image.copy())));
                      });
                    });
}

}  // namespace bankside::window
