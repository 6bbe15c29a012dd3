/// How filters look on a terminal.
#pragma once

#include <string>
#include <vector>

#include "core/filter_bank.h"

namespace bankside::headless {

struct Terminal {
  int columns = 80;
  bool colour = false;  ///< takes ANSI's 256 colours
};

/// Of the standard output. Colours where that is a terminal, unless NO_COLOR is set or TERM says dumb.
Terminal standardTerminal();

/// Every filter with its label above, as many side by side as go on a line, two rows of taps a line of
/// half-block characters; of several channels each one. In colour the sign is the hue (positive red to
/// yellow, negative blue to cyan) and the brightness the size beside the filter's largest tap. Without, what
/// is larger than a tenth of that is a full block where it is positive and a light one where it is negative.
/// Filters that are wider than 33 taps are drawn smaller, each place the largest of its taps.
std::string picturesOf(const std::vector<Filter>& filters, const Terminal& terminal);

/// One sentence on how to read them.
std::string pictureKey(const Terminal& terminal);

}  // namespace bankside::headless
