/// What several reports hold, as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/environment.h"
#include "core/judge/verification.h"

namespace bankside {

using Json = nlohmann::ordered_json;

/// Times in reports are microseconds, in records seconds.
inline constexpr double microseconds = 1e6;

Json toJsonValue(const Environment& environment);
/// null where it is not finite
Json number(double value);
/// null where nothing was judged
Json verificationJson(const std::optional<Verification>& v);
/// The text of a file. Bytes that are no UTF-8 are replaced.
std::string finish(const Json& json);

}  // namespace bankside
