#include "core/run/report_values.h"

#include <cmath>

namespace bankside {

Json toJsonValue(const Environment& environment) {
  Json json = Json::object();
  for (const auto& [name, value] : environment) json[name] = value;
  return json;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

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

std::string finish(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bankside
