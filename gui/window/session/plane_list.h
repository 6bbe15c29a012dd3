/// Which planes a run has, and what they are called.
#pragma once

#include <QString>

#include "gui/window/compute/work.h"

namespace bankside::window {

struct PlaneList {
  std::vector<PlaneName> planes;      ///< responses, then combined ones
  int responses = 0;                  ///< how many of them are single filters' responses
  std::vector<std::string> groups;    ///< what `PlaneName::channel` counts
  std::vector<std::string> channels;  ///< after the choice; empty with `error` where it cannot be made
  QString note;
  QString error;
  /// Whether every channel, or every map of the first bank, has planes of its own.
  bool perGroup = false;

  int size() const { return static_cast<int>(planes.size()); }
  /// The plane that stands for all: the first combined one, or the first; 0 where there is none.
  int combined() const { return responses < size() ? responses : 0; }
  QString titleOf(int plane) const;
  /// Where the plane `plane` of `other` is in here: by name, or else by label; `otherwise` if it is not.
  int find(const PlaneList& other, int plane, int otherwise) const;
};

/// Of a picture and banks that need not be there yet.
PlaneList listPlanes(const RunSettings& settings);

}  // namespace bankside::window
