/// The columns of every report's rows.
#pragma once

#include "core/bench/bank_width.h"
#include "core/bench/columns.h"
#include "core/bench/paper_claims.h"

namespace bankside {

/// Those that a kind of report shows; a column that is only in JSON or only in tables has no other name.
Columns<BenchRow> rowColumns(ReportKind kind);
/// Without the lists and objects that a line of CSV has no room for.
Columns<BenchRow> csvColumns(ReportKind kind);

const Columns<MachineLimits>& limitColumns();
const Columns<PeerRatio>& ratioColumns();
const Columns<PaperClaim>& claimColumns();
const Columns<BankWidthRow>& widthColumns();

}  // namespace bankside
