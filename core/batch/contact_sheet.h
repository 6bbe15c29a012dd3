/// A run to look at in a browser: every image beside its response, what looks odd first.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>

#include "core/batch/ledger.h"
#include "core/batch/manifest.h"

namespace bankside {

/// One HTML file that needs no other, no script and no network: at most `most` images, the oddest ones, and
/// how many there are of each kind. Of several results of an image the last one of its first page is shown.
/// The same bytes for the same results. Errors  Error{Io} · Cancelled
std::string contactSheet(const Manifest& manifest, const Ledger& ledger, const std::filesystem::path& input,
                         const std::filesystem::path& output, std::size_t most = 500,
                         const std::stop_token& stop = {});

}  // namespace bankside
