/// The images of the folder that the open one lies in: which there are, which are selected, and which cannot
/// be opened. Part of the state.
#pragma once

#include <QObject>
#include <filesystem>
#include <map>
#include <vector>

#include "gui/window/session/workflow.h"

namespace bankside::window {

class Folder : public QObject {
  Q_OBJECT
 public:
  Folder(Session& session, Workflow& workflow, QObject* parent = nullptr);

  /// Empty before anything was asked for.
  const std::filesystem::path& root() const { return root_; }
  /// By name, with those of sub-folders where these are wanted.
  const std::vector<std::filesystem::path>& files() const { return files_; }
  bool subfolders() const { return subfolders_; }
  void setSubfolders(bool wanted);
  /// Looks at the disk again, at the folder of what was asked for last.
  void read();
  QString nameOf(const std::filesystem::path& file) const;  ///< below the root

  /// Those that a run is to take; none: all.
  const std::vector<std::filesystem::path>& selected() const { return selected_; }
  void select(std::vector<std::filesystem::path> files);
  /// What a run is to be told: paths below the root, none where it takes everything below it.
  std::vector<std::string> chosen() const;

  /// What was asked for last, whether it could be opened or not; empty before anything was.
  std::filesystem::path current() const;

  /// Why a file cannot be opened; empty where nobody knows of a reason.
  QString problemOf(const std::filesystem::path& file) const;
  void mark(const std::filesystem::path& file, const QString& problem);

  /// Opens the next image, or the one before, past those that cannot be opened.
  void step(int by);

 Q_SIGNALS:
  void changed();
  void selectionChanged();
  void marked(const std::filesystem::path& file);
  /// On the way to one that can be opened.
  void passed(const QString& name);

 private:
  void open(int by);
  /// Nothing is open, nor asked for.
  void forget();

  Session& session_;
  Workflow& workflow_;
  std::filesystem::path root_;
  std::vector<std::filesystem::path> files_;
  std::vector<std::filesystem::path> selected_;
  std::map<std::filesystem::path, QString> problems_;
  bool subfolders_ = false;
  bool more_ = false;       // there are images in sub-folders that are not among the files
  int walking_ = 0;         // the direction in which a file that cannot be opened is passed
  std::size_t passed_ = 0;  // how many, in a row
};

}  // namespace bankside::window
