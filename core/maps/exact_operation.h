/// The judge of operations: what a step should have given, in double precision and one row at a time, from
/// the maps that it took. Written from what operations say of themselves, with none of their code. Whether
/// the field was found where it is, no judge can say.
///
/// A program is right if every step is right over what it took: no error of a step is hidden by the next one,
/// and none has to be carried through a quotient or a logarithm, whose bounds would say nothing any more.
#pragma once

#include "core/judge/verification.h"
#include "core/maps/combine_over.h"
#include "core/maps/operation.h"

namespace bankside {

/// Judges rows of `made`, in increasing order, as the operation's result over what it took.
/// Errors  Cancelled
Verification verifyOperation(const Operation& operation, const std::vector<const Maps*>& taken,
                             OperationContext& context, const Maps& made, const std::vector<int>& rows);

/// The same for a combine over an attribute.
Verification verifyCombine(const CombineOver& combine, const Maps& taken, const OperationContext& context,
                           const Maps& made, const std::vector<int>& rows);

}  // namespace bankside
