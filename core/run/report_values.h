/// What several reports hold, as JSON.
#pragma once

#include <optional>
#include <string>

#include "core/environment.h"
#include "core/json_text.h"
#include "core/judge/verification.h"

namespace bankside {

/// Times in reports are microseconds, in records seconds.
inline constexpr double microseconds = 1e6;

/// What every file of ours begins with: `bankside`, which kind of file it is, and `schema_version`.
Json fileHead(const char* kind, int version);
/// Errors  Json::exception; Error{BadInput} if it is another kind of file, or of another version
void requireFileHead(const Json& file, const char* kind, int version);

/// How the forms of a report begin, blanks and line ends aside. By that it is known again, so that a later
/// one replaces it and nothing else.
struct ReportBeginnings {
  std::string json;
  std::string csv;
  std::string markdown;
};
/// Of a kind with a `fileHead`. `csv`: its first names; empty: it has no such form.
ReportBeginnings beginningsOf(const char* kind, std::string csv = {});

Json toJsonValue(const Environment& environment);
Environment readEnvironment(const Json& json);
/// null where it is not finite
Json number(double value);
/// null where it is not above zero, which stands for what is not known
Json positive(double value);
/// null where it is empty
Json textOrNull(const std::string& text);
/// null where nothing was judged
Json verificationJson(const std::optional<Verification>& v);
/// Of one value, for CSV: empty for null, lists and objects as JSON.
std::string plainText(const Json& value);
/// The text of a file. Bytes that are no UTF-8 are replaced.
std::string finish(const Json& json);

}  // namespace bankside
