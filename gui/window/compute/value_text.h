/// Numbers as the window writes them: the same in every locale, exact where there is room.
#pragma once

#include <QString>
#include <cstdint>

#include "core/element_type.h"

namespace bankside::window {

/// Shortest text that reads back to the same value; integers without a decimal point.
QString valueText(float value, ElementType type);

/// At most `digits` significant digits.
QString shortValueText(double value, int digits = 5);

/// "1 thread", "8 threads".
QString threadsText(int count);

/// "3 of 8 pictures done, 2 failed, 1 left out".
QString doneText(std::int64_t done, std::int64_t all, std::int64_t failed, std::int64_t leftOut = 0);

/// "1.24 ms", "830 µs", "2.1 s".
QString timeText(double seconds);

}  // namespace bankside::window
