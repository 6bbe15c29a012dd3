#include "gui/window/session/folder.h"

#include <QFileInfo>
#include <algorithm>

#include "gui/window/compute/thumbnail.h"

namespace bankside::window {

namespace fs = std::filesystem;

Folder::Folder(Session& session, Workflow& workflow, QObject* parent)
    : QObject(parent), session_(session), workflow_(workflow) {
  connect(&session_, &Session::pictureChanged, this, [this] {
    walking_ = 0;
    mark(QFileInfo(session_.state().imagePath).absoluteFilePath().toStdString(), {});
    read();
  });
  connect(&workflow_, &Workflow::problem, this, [this](const QString& sentence, Work work) {
    if (work != Work::Open || workflow_.lastAsked().isEmpty()) return;
    mark(current(), sentence);
    if (walking_ == 0 || ++passed_ >= files_.size()) return;
    Q_EMIT passed(nameOf(current()));
    open(walking_);
  });
}

void Folder::setSubfolders(bool wanted) {
  if (wanted == subfolders_) return;
  subfolders_ = wanted;
  read();
}

fs::path Folder::current() const {
  const QString asked = workflow_.lastAsked();
  if (!asked.isEmpty()) return QFileInfo(asked).absoluteFilePath().toStdString();
  return session_.picture() ? session_.picture()->path : fs::path();
}

void Folder::read() {
  fs::path here = current();
  if (here.empty()) return forget();
  // What was asked for may lie in a folder that is not there.
  if (session_.picture() && !fs::is_directory(here.parent_path())) here = session_.picture()->path;
  const fs::path below = here.lexically_relative(root_);
  const bool inside = subfolders_ && !root_.empty() && !below.empty() && *below.begin() != "..";
  if (!inside && here.parent_path() != root_) {
    root_ = here.parent_path();
    problems_.clear();
    selected_.clear();
  }
  auto files = imagesBelow(root_, subfolders_);
  more_ = !subfolders_ && holdsFolders(root_);
  if (files == files_) return;
  files_ = std::move(files);
  std::erase_if(selected_, [this](const fs::path& file) {
    return !std::binary_search(files_.begin(), files_.end(), file);
  });
  Q_EMIT changed();
  Q_EMIT selectionChanged();
}

void Folder::forget() {
  if (root_.empty()) return;
  root_.clear();
  files_.clear();
  selected_.clear();
  problems_.clear();
  more_ = false;
  Q_EMIT changed();
  Q_EMIT selectionChanged();
}

QString Folder::nameOf(const fs::path& file) const {
  return QString::fromStdString(file.lexically_relative(root_).string());
}

void Folder::select(std::vector<fs::path> files) {
  if (files == selected_) return;
  selected_ = std::move(files);
  Q_EMIT selectionChanged();
}

std::vector<std::string> Folder::chosen() const {
  const auto& files = !selected_.empty() ? selected_ : files_;
  std::vector<std::string> names;
  if (selected_.empty() && !more_) return names;
  for (const fs::path& file : files) names.push_back(file.lexically_relative(root_).string());
  return names;
}

QString Folder::problemOf(const fs::path& file) const {
  const auto at = problems_.find(file);
  return at == problems_.end() ? QString() : at->second;
}

void Folder::mark(const fs::path& file, const QString& problem) {
  if (problem == problemOf(file)) return;
  if (problem.isEmpty()) {
    problems_.erase(file);
  } else {
    problems_[file] = problem;
  }
  Q_EMIT marked(file);
}

void Folder::step(int by) {
  walking_ = by;
  passed_ = 0;
  open(by);
}

void Folder::open(int by) {
  read();
  if (files_.empty()) return;
  // From what was asked for last, so that a file which cannot be opened is passed.
  const fs::path here = current();
  const auto at = std::lower_bound(files_.begin(), files_.end(), here);
  const auto count = static_cast<std::ptrdiff_t>(files_.size());
  const bool found = at != files_.end() && *at == here;
  const std::ptrdiff_t next = at - files_.begin() + (by > 0 && !found ? 0 : by);
  workflow_.open(QString::fromStdString(files_[static_cast<std::size_t>((next + count) % count)].string()));
}

}  // namespace bankside::window
