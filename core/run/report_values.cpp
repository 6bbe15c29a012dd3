#include "core/run/report_values.h"

#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/text.h"

namespace bankside {

Json fileHead(const char* kind, int version) { return {{"bankside", kind}, {"schema_version", version}}; }

void requireFileHead(const Json& file, const char* kind, int version) {
  if (file.at("bankside") != kind)
    throw Error(ErrorCode::BadInput, "it is of another kind, " + file.at("bankside").dump());
  if (const int theirs = wholeNumber<int>(file.at("schema_version")); theirs != version)
    throw Error(ErrorCode::BadInput,
                "its schema version is " + std::to_string(theirs) + ", not " + std::to_string(version));
}

ReportBeginnings beginningsOf(const char* kind, std::string csv) {
  return {.json = std::string("{\"bankside\": \"") + kind + "\",",
          .csv = std::move(csv),
          .markdown = std::string("<!-- bankside ") + kind + " -->\n\n"};
}

Json toJsonValue(const Environment& environment) {
  Json json = Json::object();
  for (const auto& [name, value] : environment) json[name] = value;
  return json;
}

Environment readEnvironment(const Json& json) {
  Environment environment;
  for (const auto& [key, value] : json.items()) environment.emplace_back(key, value.get<std::string>());
  return environment;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json positive(double value) { return value > 0 ? number(value) : Json(nullptr); }
Json textOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json verificationJson(const std::optional<Verification>& v) {
  if (!v) return nullptr;
  return {{"passed", v->passed},
          {"pixels", v->checked},
          {"failed_pixels", v->failed},
          {"max_abs_error", number(v->maxAbsError)},
          {"max_error_over_bound", number(v->maxBoundRatio)},
          {"pixel",
           {{"plane", v->plane},
            {"x", v->x},
            {"y", v->y},
            {"got", number(v->got)},
            {"expected", number(v->expected)}}}};
}

std::string plainText(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return formatNumber(value.get<double>());
  return value.dump();
}

std::string finish(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bankside
