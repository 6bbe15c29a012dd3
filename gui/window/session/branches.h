/// What the panes of a session keep to by themselves (`Branch`), with the pictures and banks that it names.
#pragma once

#include <map>

#include "gui/window/session/plane_list.h"
#include "gui/window/session/setup.h"

namespace bankside::window {

/// What a branch names, read and made. Null where it follows the panels.
struct BranchContent {
  PicturePtr picture;
  std::shared_ptr<const FilterBank> bank;
  std::shared_ptr<const FilterBank> then;
  std::shared_ptr<const std::vector<FilterBank>> stepBanks;
  bool stacked = false;  ///< its pages were asked for as channels
  QString problem;       ///< why it cannot be had; empty if it could
};

/// Reads the picture and makes the banks. `stacked` and `memory` as for `openPicture`. What goes wrong is the
/// `problem`; throws std::bad_alloc
BranchContent readBranch(const Branch& branch, bool stacked, std::int64_t memory);

/// "sobel", "right.png", "sobel · right.png".
QString branchTitle(const Branch& branch);
/// A recipe's title, or its banks.
QString recipeTitle(const Recipe& recipe);
/// Edited filters have no name any more.
QString recipeTitle(const Setup& setup);

class Branches {
 public:
  struct Entry {
    Branch branch;
    bool ready = false;
    BranchContent content;
    PlaneList list;
  };

  /// From 1 on; 0 for what follows the panels. Equal ones share a number.
  int numberOf(const Branch& branch) const;
  /// Holds what these panes keep to and nothing else. The numbers that went.
  std::vector<int> hold(const std::vector<PaneSpec>& panes);
  /// Null for numbers that are not held, as 0.
  const Entry* find(int number) const;
  Entry* find(int number);
  std::map<int, Entry>& all() { return entries_; }
  const std::map<int, Entry>& all() const { return entries_; }

 private:
  std::map<int, Entry> entries_;
  int last_ = 0;
};

}  // namespace bankside::window
