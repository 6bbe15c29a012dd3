/// Changes to a bank, one small value each, so that every one of them can be undone.
///
/// Banks are immutable: a change makes a new one, and what the FilterBank constructor refuses (a doubled
/// label, a tap that is not finite, the last filter removed) is refused here with the same sentence.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/filter_bank.h"
#include "gui/window/models/tap_text.h"

namespace bankside::window {

struct ReplaceFilter {
  int index = 0;
  Filter filter;
};
struct InsertFilter {
  int index = 0;  ///< where it will stand; the bank's size appends
  Filter filter;
};
struct RemoveFilter {
  int index = 0;
};
struct MoveFilter {
  int from = 0;
  int to = 0;  ///< where it stands afterwards
};
/// The whole of it: another bank was chosen or opened.
struct ReplaceBank {
  FilterBank bank;
};
using BankEdit = std::variant<ReplaceFilter, InsertFilter, RemoveFilter, MoveFilter, ReplaceBank>;

/// The bank after `edit`, saying `info` of itself (ReplaceBank brings its own).
/// Errors  Error{BadInput}: no such filter, or a bank that FilterBank refuses
FilterBank applied(const FilterBank& bank, const BankEdit& edit, const BankInfo& info);

/// What turns `applied(bank, edit, ...)` back into `bank`, but for its info.
BankEdit inverse(const FilterBank& bank, const BankEdit& edit);

/// What a bank says of itself after its taps were changed by hand: no name that would make it again, no
/// generator; the citation tells what it started from.
BankInfo handEdited(const BankInfo& info);

/// `wanted`, or with "-2", "-3", ... added until no filter of the bank has it.
std::string freeLabel(const FilterBank& bank, const std::string& wanted);

// Filters made from filters. Taps are f32; sums are taken in double.

Filter withTap(Filter filter, int channel, int y, int x, float tap);

/// Puts the block with its first tap at (y, x), growing the filter by zeros where it sticks out.
/// Errors  Error{Limit}: past 127 a side
Filter withBlock(Filter filter, int channel, int y, int x, const TapBlock& block);

/// The rectangle of taps that begins at (y, x).
TapBlock blockOf(const Filter& filter, int channel, int y, int x, int rows, int columns);

/// The filter whose taps of `channel` are the block; other channels are cut or padded, the anchor is centred.
Filter replacedByBlock(const Filter& filter, int channel, const TapBlock& block);

/// Cut or padded with zeros around the anchor, so that every tap left keeps its offset from the output pixel.
/// An anchor in the middle stays in the middle.
Filter resized(const Filter& filter, int height, int width);

/// Every tap divided by the sum of all, channels together.
/// Errors  Error{BadInput}: a sum that is zero within rounding
Filter withUnitSum(Filter filter);

/// The mean taken from every tap, channels together.
Filter withZeroMean(Filter filter);

// Mirrors carry anchor and orientation along; an orientation stays within half a turn where the filter looks
// the same after one.

Filter transposed(const Filter& filter);
Filter mirroredLeftRight(const Filter& filter);
Filter mirroredTopBottom(const Filter& filter);
Filter halfTurned(const Filter& filter);

}  // namespace bankside::window
