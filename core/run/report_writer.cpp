#include "core/run/report_writer.h"

#include "core/run/report_values.h"
#include "core/text.h"

namespace bankside {
namespace {

Json planeJson(const StepReport& step) {
  return {{"stage", step.stage},
          {"problem", format(step.problem)},
          {"engine", step.engine},
          {"device", step.device},
          {"variant", toString(step.plan)},
          {"upload_us", step.times.upload * microseconds},
          {"compute_us", step.times.compute * microseconds},
          {"download_us", step.times.download * microseconds},
          {"reference", verificationJson(step.reference)},
          {"opencv", verificationJson(step.baseline)},
          {"opencv_path", step.baselineReason}};
}

Json stagesJson(const StageTimes& times) {
  Json busy = Json::array();
  for (int i = 0; i < StageTimes::stages; ++i) {
    busy.push_back({{"stage", StageTimes::names[i]},
                    {"busy_us", times.busySeconds[static_cast<std::size_t>(i)] * microseconds},
                    {"share", times.share(i)}});
  }
  if (times.deviceSeconds > 0)
    busy.push_back({{"stage", "device"},
                    {"busy_us", times.deviceSeconds * microseconds},
                    {"share", times.deviceShare()}});
  return {{"threads", times.threads},
          {"wall_us", times.wallSeconds * microseconds},
          {"bottleneck", times.bottleneck()},
          {"busy", busy}};
}

Json operationsJson(const BankRun& run) {
  Json list = Json::array();
  for (const OperationReport& operation : run.operationSteps)
    list.push_back({{"stage", operation.stage},
                    {"does", operation.does},
                    {"device", operation.device},
                    {"us", operation.seconds * microseconds}});
  return list;
}

}  // namespace

std::string toJson(const FilterReport& report) {
  Json banks = Json::array();
  for (const FilterReport::Bank& bank : report.banks)
    banks.push_back({{"name", bank.name}, {"hash", formatHash(bank.hash)}});
  Json images = Json::array();
  for (const ImageRun& image : report.images) {
    Json steps = Json::array();
    for (const StepReport& step : image.run.steps) steps.push_back(planeJson(step));
    images.push_back({{"input", image.input},
                      {"page", image.page},
                      {"format", image.format},
                      {"shape", image.shape},
                      {"ok", image.ok},
                      {"error", image.error},
                      {"notes", image.notes},
                      {"dropped", image.dropped},
                      {"decode_us", image.decodeSeconds * microseconds},
                      {"combine_us", image.run.combineSeconds * microseconds},
                      {"activation_us", image.run.activationSeconds * microseconds},
                      {"operation_us", image.run.operationSeconds() * microseconds},
                      {"operations", operationsJson(image.run)},
                      {"map_copies_us",
                       {{"upload", image.run.mapCopies.upload * microseconds},
                        {"download", image.run.mapCopies.download * microseconds}}},
                      {"maps_instead", textOrNull(image.run.mapsInstead)},
                      {"operations_reference", verificationJson(image.run.operations)},
                      {"encode_us", image.encodeSeconds * microseconds},
                      {"pixels_per_degree", positive(image.run.pixelsPerDegree)},
                      {"bands", image.run.bands},
                      {"steps", steps},
                      {"clipped_values", image.clippedValues},
                      {"non_finite_values", image.nonFiniteValues},
                      {"outputs", image.outputs}});
  }
  Json json = fileHead(FilterReport::fileKind, FilterReport::schemaVersion);
  json["command"] = report.command;
  json["environment"] = toJsonValue(report.environment);
  json["recipe"] = report.recipe.empty() ? Json(nullptr) : Json::parse(report.recipe);
  json["notes"] = report.notes;
  json["bank"] = banks.empty() ? Json(nullptr) : banks.front();
  json["banks"] = banks;
  json["stages"] = stagesJson(report.stages);
  json["images"] = images;
  json["untried"] = report.untried;
  return finish(json);
}

}  // namespace bankside
