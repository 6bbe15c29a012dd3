#include "gui/window/panels/folder_strip.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QImage>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPixmap>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/window/compute/core_sentence.h"
#include "gui/window/compute/thumbnail.h"

namespace bankside::window {
namespace {

constexpr int thumbnailSide = 96;
/// Lists of more items become slow; of larger folders the part around the open image is listed.
constexpr std::size_t mostFiles = 10'000;

/// In the place of a picture that cannot be shown.
QPixmap unreadable() {
  QPixmap card(thumbnailSide, thumbnailSide);
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

FolderStrip::FolderStrip(Session& session, Workflow& workflow, RunController& controller, Folder& folder,
                         QWidget* parent)
    : QWidget(parent), session_(session), workflow_(workflow), controller_(controller), folder_(folder) {
  setObjectName(QStringLiteral("folderStrip"));
  list_ = new QListWidget(this);
  list_->setObjectName(QStringLiteral("folderList"));
  list_->setAccessibleName(tr("Images of the folder"));
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setViewMode(QListView::IconMode);
  list_->setFlow(QListView::LeftToRight);
  list_->setWrapping(false);
  list_->setMovement(QListView::Static);
  list_->setUniformItemSizes(true);
  list_->viewport()->installEventFilter(this);
  list_->setTextElideMode(Qt::ElideMiddle);
  list_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  empty_ = new QLabel(tr("The images beside the open one appear here."), this);
  empty_->setAlignment(Qt::AlignCenter);
  count_ = new QLabel(this);
  count_->setObjectName(QStringLiteral("folderCount"));
  subfolders_ = new QCheckBox(tr("Sub-folders"), this);
  subfolders_->setObjectName(QStringLiteral("folderSubfolders"));
  subfolders_->setToolTip(tr("Show the pictures of the folders below too"));
  auto* run = new QPushButton(tr("Run over folder…"), this);
  run->setObjectName(QStringLiteral("folderRunOpen"));
  run->setToolTip(tr("Filter all pictures, or those that are selected with Ctrl or Shift"));
  auto* row = new QHBoxLayout;
  row->addWidget(count_, 1);
  row->addWidget(subfolders_);
  row->addWidget(run);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(4, 2, 4, 4);
  column->setSpacing(2);
  column->addLayout(row);
  column->addWidget(list_, 1);
  column->addWidget(empty_, 1);
  const auto open = [this](const QListWidgetItem* item) {
    const QString path = item->data(Qt::UserRole).toString();
    if (path != workflow_.lastAsked()) workflow_.open(path);
  };
  // Of several that are being selected none is to be opened.
  connect(list_, &QListWidget::itemClicked, this, [this, open](const QListWidgetItem* item) {
    if (item->isSelected() && list_->selectedItems().size() == 1) open(item);
  });
  connect(list_, &QListWidget::itemActivated, this, open);
  connect(list_, &QListWidget::itemSelectionChanged, this, &FolderStrip::readSelection);
  connect(run, &QPushButton::clicked, this, &FolderStrip::runWanted);
  connect(subfolders_, &QCheckBox::toggled, &folder_, &Folder::setSubfolders);
  connect(&session_, &Session::pictureChanged, this, &FolderStrip::readFolder);
  connect(&folder_, &Folder::changed, this, &FolderStrip::readFolder);
  connect(&folder_, &Folder::marked, this, &FolderStrip::showProblem);
  connect(&workflow_, &Workflow::problem, this, &FolderStrip::showCurrent);
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
  folder_.read();
  readFolder();
}

bool FolderStrip::eventFilter(QObject* watched, QEvent* event) {
  if (watched == list_->viewport() && event->type() == QEvent::Resize) {
    // Pictures are as high as leaves room for their names.
    const int name = list_->fontMetrics().height() + 12;
    const int fitting = std::clamp(list_->viewport()->height() - name, thumbnailSide / 2, thumbnailSide);
    list_->setIconSize({thumbnailSide, fitting});
    list_->setGridSize({thumbnailSide + 24, fitting + name});
  }
  return QWidget::eventFilter(watched, event);
}

void FolderStrip::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  drawNext();
}

void FolderStrip::readFolder() {
  if (!isVisible()) return;
  listFiles();
  list_->setVisible(!files_.empty());
  empty_->setVisible(files_.empty());
  showCurrent();
  drawNext();
}

void FolderStrip::listFiles() {
  auto files = partAround(folder_.files(), folder_.current());
  if (files == files_) return;
  const QSignalBlocker quiet(list_);
  files_ = std::move(files);
  drawn_.assign(files_.size(), false);
  list_->clear();
  QPixmap blank(thumbnailSide, thumbnailSide);
  blank.fill(palette().color(QPalette::Mid));
  for (const auto& file : files_) {
    const QString path = QString::fromStdString(file.string());
    auto* item = new QListWidgetItem(QIcon(blank), folder_.nameOf(file), list_);
    item->setData(Qt::UserRole, path);
    item->setToolTip(path);
    const auto& selected = folder_.selected();
    item->setSelected(std::find(selected.begin(), selected.end(), file) != selected.end());
    if (!folder_.problemOf(file).isEmpty()) showProblem(file);
  }
}

void FolderStrip::showCurrent() {
  if (!isVisible()) return;
  const std::filesystem::path here = folder_.current();
  const auto at = std::lower_bound(files_.begin(), files_.end(), here);
  const bool listed = at != files_.end() && *at == here;
  if (listed) {
    const int row = static_cast<int>(at - files_.begin());
    const bool several = list_->selectedItems().size() > 1;
    list_->setCurrentRow(row, several ? QItemSelectionModel::NoUpdate : QItemSelectionModel::ClearAndSelect);
  }
  readSelection();
}

void FolderStrip::readSelection() {
  const auto items = list_->selectedItems();
  std::vector<std::filesystem::path> chosen;
  // One alone is the one that is open.
  for (const QListWidgetItem* item : items) {
    if (items.size() > 1) chosen.emplace_back(item->data(Qt::UserRole).toString().toStdString());
  }
  std::sort(chosen.begin(), chosen.end());
  folder_.select(std::move(chosen));
  const auto& files = folder_.files();
  const std::filesystem::path here = folder_.current();
  const auto at = std::lower_bound(files.begin(), files.end(), here);
  QString text;
  if (at != files.end() && *at == here) text = tr("%1 of %2").arg(at - files.begin() + 1).arg(files.size());
  const auto add = [&text](const QString& more) { text += (text.isEmpty() ? "" : ", ") + more; };
  if (items.size() > 1) add(tr("%1 selected").arg(items.size()));
  const bool open = session_.picture() && session_.picture()->path == here;
  if (!open && !folder_.problemOf(here).isEmpty())
    add(text.isEmpty() ? tr("%1 cannot be read").arg(QString::fromStdString(here.filename().string()))
                       : tr("cannot be read"));
  count_->setText(text);
}

void FolderStrip::showProblem(const std::filesystem::path& file) {
  const auto at = std::lower_bound(files_.begin(), files_.end(), file);
  if (at == files_.end() || *at != file) return;
  const auto index = static_cast<std::size_t>(at - files_.begin());
  QListWidgetItem* item = list_->item(static_cast<int>(index));
  const QString problem = folder_.problemOf(file);
  item->setToolTip(problem.isEmpty() ? QString::fromStdString(file.string()) : problem);
  item->setData(Qt::AccessibleDescriptionRole, problem);
  if (!problem.isEmpty()) return item->setIcon(QIcon(unreadable()));
  drawn_[index] = false;
  drawNext();
}

std::size_t FolderStrip::nextToDraw() const {
  const QRect seen = list_->viewport()->rect();
  const QModelIndex left = list_->indexAt(QPoint(thumbnailSide / 2, thumbnailSide / 2));
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
                        thumbnail = readThumbnail(file, thumbnailSide);
                      } catch (const std::exception& error) {
                        problem = sentenceOf(error);
                      }
                      context.deliver([this, index, file, thumbnail, problem] {
                        if (index >= files_.size() || files_[index] != file) return;
                        QListWidgetItem* item = list_->item(static_cast<int>(index));
                        if (!problem.isEmpty()) return folder_.mark(file, problem);
                        const QImage image(reinterpret_cast<const uchar*>(thumbnail.pixels.data()),
                                           thumbnail.width, thumbnail.height, thumbnail.width * 4,
                                           QImage::Format_RGB32);
                        // A pixmap may go on using the image's memory, which is the thumbnail's.
                        item->setIcon(QIcon(QPixmap::fromImage(image.copy())));
                      });
                    });
}

}  // namespace bankside::window
