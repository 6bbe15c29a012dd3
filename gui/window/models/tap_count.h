/// How many taps a filter has, counted and said in one way wherever it is said.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <cstddef>

namespace bankside::window {

struct TapCount {
  std::size_t all = 0;
  std::size_t zero = 0;
};

inline QString tapCountText(const TapCount& count) {
  if (count.zero == 0) return QCoreApplication::translate("TapCount", "%1 taps").arg(count.all);
  return QCoreApplication::translate("TapCount", "%1 taps, %2 of them zero").arg(count.all).arg(count.zero);
}

}  // namespace bankside::window
