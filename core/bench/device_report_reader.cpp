#include <nlohmann/json.hpp>

#include "core/bench/device_report.h"
#include "core/bench/kept_rows.h"
#include "core/error.h"
#include "core/text_file.h"

namespace bankside {
namespace {

using Json = nlohmann::ordered_json;

constexpr double micro = 1e6;

double secondsAt(const Json& row, const char* key) {
  return row.at(key).is_null() ? 0 : row.at(key).get<double>() / micro;
}

Interval intervalAt(const Json& row, const char* median, const char* bounds) {
  return {secondsAt(row, median), row.at(bounds).at(0).get<double>() / micro,
          row.at(bounds).at(1).get<double>() / micro};
}

/// Of which only the median was written.
std::optional<Interval> medianAt(const Json& row, const char* key) {
  if (!row.contains(key) || row.at(key).is_null()) return {};
  const double seconds = secondsAt(row, key);
  return Interval{seconds, seconds, seconds};
}

/// `name` is where a row comes from that does not say so itself.
DeviceRow readRow(const Json& json, const std::string& name) {
  DeviceRow row;
  row.problem = parseProblem(json.at("problem").get<std::string>());
  row.bank = json.at("bank").get<std::string>();
  row.engine = json.at("engine").get<std::string>();
  row.variant = json.at("variant").get<std::string>();
  row.disposition = json.at("disposition").get<std::string>();
  if (!json.at("reason").is_null()) row.reason = json.at("reason").get<std::string>();
  row.images = json.value("images", 1);  // there were none at first
  if (!json.at("median_us").is_null()) {
    row.times = DeviceTimes{.hot = intervalAt(json, "hot_median_us", "hot_interval"),
                            .cold = intervalAt(json, "median_us", "interval"),
                            .coldSets = json.at("coldSets").get<int>(),
                            .hotLaunched = medianAt(json, "hot_launched_us"),
                            .sustained = medianAt(json, "sustained_us")};
  }
  row.floor = {secondsAt(json, "floor_us"), json.at("bound").get<std::string>()};
  row.streamSeconds = secondsAt(json, "stream_us");
  row.flops = json.at("flops").get<double>();
  row.command = json.value("command", std::string());  // a kept row has none
  const auto source = json.find("source");
  row.source = source != json.end() && source->is_string() ? source->get<std::string>() : name;
  return row;
}

DeviceLimits readLimits(const Json& json) {
  DeviceLimits limits;
  limits.copyRate = json.at("copyGBps").get<double>() * 1e9;
  limits.fmaRate = json.at("fmaTflops").get<double>() * 1e12;
  limits.tensorRate = json.value("tensorTflops", 0.0) * 1e12;
  limits.launchSeconds = secondsAt(json, "launch_us");
  limits.graphLaunchSeconds = secondsAt(json, "graphLaunch_us");
  for (const Json& stream : json.at("streams")) {
    limits.streams.push_back({stream.at("F").get<int>(), stream.at("GBps").get<double>() * 1e9,
                              stream.at("order").get<std::string>()});
  }
  return limits;
}

}  // namespace

DeviceReport readDeviceReport(const std::string& json, const std::string& name) {
  try {
    const Json file = Json::parse(json);
    requireSchemaVersion(file.at("schemaVersion").get<int>(), DeviceReport::schemaVersion);
    DeviceReport report{.what = file.at("what").get<std::string>(),
                        .command = file.at("command").get<std::string>(),
                        .complete = file.value("complete", true)};
    for (const auto& [key, value] : file.at("environment").items())
      report.environment.emplace_back(key, value.get<std::string>());
    report.limits = readLimits(file.at("limits"));
    if (file.contains("notes")) report.notes = file.at("notes").get<std::vector<std::string>>();
    for (const Json& row : rowsOf(file)) report.rows.push_back(readRow(row, name));
    return report;
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::BadInput, name + " is no benchmark on a device: " + error.what());
  } catch (const Error& error) {
    throw Error(error.code(), name + ": " + error.what());
  }
}

}  // namespace bankside
