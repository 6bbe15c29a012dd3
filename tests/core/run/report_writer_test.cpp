/// The report of a run of filters.
#include "core/run/report_writer.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace bankside {
namespace {

/// Records have seconds.
TEST(FilterReport, HasEveryTimeInMicroseconds) {
  StepReport step;
  step.problem = parseProblem("c1h64w64-f8k3-reflect101-f32:f32-none");
  step.engine = "e";
  step.times = {.upload = 2e-6, .compute = 3e-6, .download = 4e-6};
  ImageRun image{.input = "a.png", .ok = true, .decodeSeconds = 5e-6, .encodeSeconds = 6e-6};
  image.run.steps = {step};
  image.run.combineSeconds = 7e-6;
  image.run.activationSeconds = 8e-6;
  image.run.operationSteps = {{2, "log", "CPU", 9e-6}, {3, "exp", "CPU", 1e-6}};
  image.run.mapCopies = {.upload = 11e-6, .download = 12e-6};
  FilterReport report{.command = "c", .images = {image}};
  report.stages.busySeconds[1] = 13e-6;
  report.stages.wallSeconds = 14e-6;
  const auto json = nlohmann::json::parse(toJson(report));
  const auto expectAll = [](const nlohmann::json& of, const std::map<std::string, double>& times) {
    for (const auto& [key, time] : times) EXPECT_NEAR(of.at(key).get<double>(), time, 1e-9) << key;
  };
  const auto& read = json["images"][0];
  expectAll(read["steps"][0], {{"upload_us", 2}, {"compute_us", 3}, {"download_us", 4}});
  expectAll(
      read,
      {{"decode_us", 5}, {"encode_us", 6}, {"combine_us", 7}, {"activation_us", 8}, {"operation_us", 9 + 1}});
  EXPECT_NEAR(read["operations"][0]["us"].get<double>(), 9, 1e-9);
  expectAll(read["map_copies_us"], {{"upload", 11}, {"download", 12}});
  EXPECT_NEAR(json["stages"]["busy"][1]["busy_us"].get<double>(), 13, 1e-9);
  EXPECT_NEAR(json["stages"]["wall_us"].get<double>(), 14, 1e-9);
}

}  // namespace
}  // namespace bankside
