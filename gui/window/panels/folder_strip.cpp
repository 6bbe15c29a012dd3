#include "gui/window/panels/folder_strip.h"

#include <QImage>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPixmap>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/window/compute/thumbnail.h"

namespace bankside::window {
namespace {

constexpr int side = 96;
/// Lists of more items become slow; of larger folders the part around the open image is listed.
constexpr std::size_t mostFiles = 10'000;

/// In the place of a picture that cannot be shown.
QPixmap unreadable() {
  QPixmap card(side, side);
  card.fill(QColor(120, 40, 38));
  QPainter painter(&card);
  painter.setPen(Qt::white);
  painter.drawText(card.rect().adjusted(4, 4, -4, -4), Qt::AlignCenter | Qt::TextWordWrap,
                   FolderStrip::tr("cannot be read"));
  return card;
}

/// Of more files than the list holds those around `here`; neighbours mostly have the same part.
std::vector<std::filesystem::path> partAround(std::vector<std::filesystem::path> files,
                                              const std::filesystem::path& here) {
  if (files.size() <= mostFiles) return files;
  const auto at =
      static_cast<std::size_t>(std::lower_bound(files.begin(), files.end(), here) - files.begin());
  const std::size_t middle = at / (mostFiles / 2) * (mostFiles / 2) + mostFiles / 4;
  const std::size_t first = std::min(middle - std::min(middle, mostFiles / 2), files.size() - mostFiles);
  const auto begin = files.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(mostFiles)};
}

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
  count_ = new QLabel(this);
  count_->setObjectName(QStringLiteral("folderCount"));
  column->setSpacing(0);
  column->addWidget(count_);
  column->addWidget(list_, 1);
  column->addWidget(empty_, 1);
  const auto open = [this](const QListWidgetItem* item) {
    const QString path = item->data(Qt::UserRole).toString();
    if (path != session_.state().imagePath) workflow_.open(path);
  };
  connect(list_, &QListWidget::itemClicked, this, open);
  connect(list_, &QListWidget::itemActivated, this, open);
  connect(&session_, &Session::pictureChanged, this, &FolderStrip::readFolder);
  connect(&controller_, &RunController::finished, this, [this](Work kind, bool) {
    if (kind != Work::Thumbnails) return;
    drawing_ = false;
    drawNext();
  });
  connect(list_->horizontalScrollBar(), &QScrollBar::valueChanged, this, &FolderStrip::drawNext);
  readFolder();
}

void FolderStrip::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  readFolder();
}

void FolderStrip::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  drawNext();
}

void FolderStrip::readFolder() {
  if (!isVisible()) return;
  const QString current = session_.state().imagePath;
  std::error_code failure;
  const std::filesystem::path absolute = std::filesystem::absolute(current.toStdString(), failure);
  auto files = session_.picture() ? partAround(imagesBeside(absolute), absolute)
                                  : std::vector<std::filesystem::path>();
  if (files != files_) {
    files_ = std::move(files);
    drawn_.assign(files_.size(), false);
    list_->clear();
    QPixmap blank(side, side);
    blank.fill(palette().color(QPalette::Mid));
    for (const auto& file : files_) {
      const QString path = QString::fromStdString(file.string());
      auto* item = new QListWidgetItem(QIcon(blank), QString::fromStdString(file.filename().string()), list_);
      item->setData(Qt::UserRole, path);
      item->setToolTip(path);
    }
  }
  list_->setVisible(!files_.empty());
  empty_->setVisible(files_.empty());
  const auto at = std::lower_bound(files_.begin(), files_.end(), absolute);
  const bool listed = at != files_.end() && *at == absolute;
  if (listed) list_->setCurrentRow(static_cast<int>(at - files_.begin()));
  count_->setText(listed ? tr("%1 of %2").arg(at - files_.begin() + 1).arg(files_.size()) : QString());
  drawNext();
}

std::size_t FolderStrip::nextToDraw() const {
  const QRect seen = list_->viewport()->rect();
  const QModelIndex left = list_->indexAt(QPoint(side / 2, side / 2));
  for (std::size_t i = left.isValid() ? static_cast<std::size_t>(left.row()) : 0; i < files_.size(); ++i) {
    const QRect place = list_->visualItemRect(list_->item(static_cast<int>(i)));
    if (place.left() > seen.right()) break;
    if (!drawn_[i] && place.intersects(seen)) return i;
  }
  return files_.size();
}

void FolderStrip::drawNext() {
  if (drawing_ || !isVisible()) return;
  const std::size_t index = nextToDraw();
  if (index >= files_.size()) return;
  drawing_ = true;
  drawn_[index] = true;
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
                        if (!problem.isEmpty()) {
                          item->setToolTip(problem);
                          return item->setIcon(QIcon(unreadable()));
                        }
                        const QImage image(reinterpret_cast<const uchar*>(thumbnail.pixels.data()),
                                           thumbnail.width, thumbnail.height, thumbnail.width * 4,
                                           QImage::Format_RGB32);
                        // A pixmap may go on using the image's memory, which is the thumbnail's.
                        item->setIcon(QIcon(QPixmap::fromImage(image.copy())));
                      });
                    });
}

}  // namespace bankside::window
