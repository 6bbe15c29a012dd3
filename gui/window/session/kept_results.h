/// Results that somebody kept to compare with, up to a number of bytes; what was kept for longest goes first.
#pragma once

#include <list>

#include "gui/window/session/setup.h"

namespace bankside::window {

struct KeptResult {
  int number = 0;
  QString title;       ///< short enough for a list of choices
  QString plane;       ///< which of the results it is of
  QString whole;       ///< bank or recipe, plane and picture in full
  PlaneResult result;  ///< its key says what it was
  Setup from;          ///< how it was made
  int index = 0;       ///< PaneSpec::index of the pane that showed it
};

class KeptResults {
 public:
  explicit KeptResults(std::int64_t budget) : budget_(budget) {}

  /// Gives it its number. Those that had to go; what is added last always stays.
  std::vector<KeptResult> add(KeptResult kept);
  void remove(int number);
  const KeptResult* find(int number) const;
  const std::list<KeptResult>& all() const { return all_; }  ///< oldest first
  std::int64_t bytes() const;
  int nextNumber() const { return last_ + 1; }

 private:
  std::int64_t budget_;
  int last_ = 0;
  std::list<KeptResult> all_;
};

}  // namespace bankside::window
