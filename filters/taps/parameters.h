/// Parameters that several banks have.
#pragma once

#include <string>

#include "filters/taps/catalog_entry.h"

namespace bankside {

/// `orientations`: how many directions divide half a turn.
BankParameter orientationsParameter(const std::string& defaultValue);

/// `size`: the side of a square, by itself twice the half width and one more.
/// `halfWidth`  for people: "3 sigma"
BankParameter sizeParameter(const std::string& halfWidth, ParameterKind kind = ParameterKind::Integer);

/// `size`: a side that follows from nothing else.
BankParameter sideParameter(const std::string& defaultValue, ParameterKind kind = ParameterKind::Integer,
                            double min = 1, double max = maxFilterSide);

/// `sigma` and `length`: across a bar and along it.
BankParameter crossSectionParameter(const std::string& defaultValue);
BankParameter barLengthParameter();

}  // namespace bankside
