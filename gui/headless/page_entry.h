/// From pages that are done or failed to the journal of a batch.
#pragma once

#include <exception>
#include <filesystem>

#include "core/batch/journal_entry.h"
#include "gui/headless/page.h"

namespace bankside::headless {

/// What goes wrong for whatever image comes next too, and may pass: a full disk, a device that was lost.
bool isTransient(const std::exception_ptr& error, const BankRun& run);

/// One page more of the entry's image. `output`: the folder that results are below; `content`: with their
/// hashes. Errors  Error{Io} a result cannot be read · std::filesystem::filesystem_error it is gone
void addPage(JournalEntry& entry, const Page& page, const std::filesystem::path& output, bool content);

}  // namespace bankside::headless
