#include "core/bench/comparison_writer.h"

#include <algorithm>
#include <cmath>

#include "core/run/report_values.h"
#include "core/table.h"
#include "core/text.h"

namespace bankside {
namespace {

Json samplesInMicroseconds(const std::vector<double>& samples) {
  Json json = Json::array();
  for (const double sample : samples) json.push_back(sample * microseconds);
  return json;
}

Json intervalJson(const std::vector<double>& samples) {
  if (samples.empty()) return nullptr;
  const Interval i = medianInterval(samples);
  return {{"median_us", i.median * microseconds},
          {"interval_us", {i.low * microseconds, i.high * microseconds}},
          {"samples_us", samplesInMicroseconds(samples)}};
}

Json ratioJson(const std::optional<SpeedRatio>& ratio) {
  if (!ratio) return nullptr;
  return {{"median", ratio->ratio.median},
          {"interval", {ratio->ratio.low, ratio->ratio.high}},
          {"verdict", toString(ratio->verdict)}};
}

Json runJson(const EngineRun& run, double megapixelFilters) {
  Json json = {{"name", run.engine},
               {"device", run.device},
               {"description", run.description},
               {"variant", toString(run.plans)},
               {"threads", run.threads},
               {"disposition", toString(run.disposition)},
               {"reason", run.reason},
               {"prepare_us", run.prepareSeconds * microseconds},
               {"compute", intervalJson(run.computeSamples)},
               {"end_to_end", intervalJson(run.endToEndSamples)},
               {"upload", intervalJson(run.uploadSamples)},
               {"combine", intervalJson(run.combineSamples)},
               {"download", intervalJson(run.downloadSamples)},
               {"megapixel_filters_per_second", nullptr},
               {"ratio_to_opencv", ratioJson(run.toBaseline)},
               {"max_abs_error", run.verification ? number(run.verification->maxAbsError) : Json(nullptr)},
               {"verification", verificationJson(run.verification)},
               {"verified_rows", run.verifiedRows > 0 ? Json(run.verifiedRows) : Json(nullptr)},
               {"command", run.command}};
  if (run.timed())
    json["megapixel_filters_per_second"] = megapixelFilters / medianInterval(run.endToEndSamples).median;
  return json;
}

/// Three significant digits: what a timing can bear.
std::string significant(double value) {
  if (!std::isfinite(value)) return "-";
  const double size = std::fabs(value);
  return formatFixed(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

std::string milliseconds(const std::vector<double>& samples) {
  if (samples.empty()) return "-";
  const Interval i = medianInterval(samples);
  return significant(i.median * 1e3) + " [" + significant(i.low * 1e3) + ", " + significant(i.high * 1e3) +
         "]";
}

std::string errorText(const std::optional<Verification>& v) {
  if (!v) return "-";
  if (!v->passed) return std::to_string(v->failed) + " wrong, " + v->place();
  if (v->maxAbsError == 0) return "0";
  std::string digits = formatNumber(static_cast<float>(v->maxAbsError));
  if (const auto e = digits.find('e'); e != std::string::npos) {
    digits = digits.substr(0, std::min<std::size_t>(e, 4)) + digits.substr(e);
  } else {
    digits = digits.substr(0, 8);
  }
  return digits + " at (" + std::to_string(v->x) + ", " + std::to_string(v->y) + "; " +
         std::to_string(v->plane) + ")";
}

Table comparisonTable(const ComparisonReport& report) {
  Table table({"engine", "threads", "path", "compute ms [95%]", "end to end ms [95%]", "Mpx*filter/s",
               "x OpenCV", "verdict", "max abs error at (x, y; plane)"});
  for (const EngineRun& run : report.runs) {
    std::string ratio = "-";
    std::string verdict = run.timed() ? "-" : toString(run.disposition);
    if (run.engine == report.baseline && run.timed()) {
      ratio = "1";
      verdict = "baseline";
    } else if (run.toBaseline) {
      ratio = significant(run.toBaseline->ratio.median);
      verdict = toString(run.toBaseline->verdict);
    }
    const std::string rate =
        run.timed() ? significant(report.megapixelFilters() / medianInterval(run.endToEndSamples).median)
                    : "-";
    std::vector<PlanInfo> chosen = run.plans;  // why is in the JSON
    for (PlanInfo& plan : chosen) plan.why.clear();
    table.add({run.engine, std::to_string(run.threads), toString(chosen), milliseconds(run.computeSamples),
               milliseconds(run.endToEndSamples), rate, ratio, verdict,
               run.verification ? errorText(run.verification) : run.reason});
  }
  return table;
}

std::string heading(const ComparisonReport& report) {
  std::string text = report.input + (report.inputNote.empty() ? "" : " (" + report.inputNote + ")") + "\n";
  text += "bank " + report.bank + (report.bankTitle.empty() ? "" : ": " + report.bankTitle) + "\n";
  for (const ConvolutionProblem& problem : report.problems) text += "problem " + format(problem) + "\n";
  if (report.precision != Precision::Fp32)
    text += std::string("precision ") + toString(report.precision) + "\n";
  return text;
}

}  // namespace

std::string toJson(const ComparisonReport& report) {
  Json problems = Json::array();
  for (const ConvolutionProblem& problem : report.problems) problems.push_back(format(problem));
  Json runs = Json::array();
  for (const EngineRun& run : report.runs) runs.push_back(runJson(run, report.megapixelFilters()));
  return finish(
      {{"bankside", "comparison"},
       {"schema_version", ComparisonReport::schemaVersion},
       {"environment", toJsonValue(report.environment)},
       {"input", report.input},
       {"input_note", report.inputNote},
       {"bank", {{"name", report.bank}, {"title", report.bankTitle}, {"hash", formatHash(report.bankHash)}}},
       {"problems", problems},
       {"baseline", report.baseline},
       {"precision", toString(report.precision)},
       {"engines", runs}});
}

std::string toCsv(const ComparisonReport& report) {
  Table table({"name", "threads", "variant", "disposition", "compute_median_us", "compute_low_us",
               "compute_high_us", "end_to_end_median_us", "end_to_end_low_us", "end_to_end_high_us",
               "samples", "ratio_to_opencv", "verdict", "max_abs_error", "reason"});
  for (const EngineRun& run : report.runs) {
    std::vector<std::string> row = {run.engine, std::to_string(run.threads), toString(run.plans),
                                    toString(run.disposition)};
    for (const auto* samples : {&run.computeSamples, &run.endToEndSamples}) {
      if (samples->empty()) {
        row.insert(row.end(), 3, "");
        continue;
      }
      const Interval i = medianInterval(*samples);
      for (const double value : {i.median, i.low, i.high}) row.push_back(formatNumber(value * microseconds));
    }
    row.push_back(std::to_string(run.endToEndSamples.size()));
    row.push_back(run.toBaseline ? formatNumber(run.toBaseline->ratio.median) : "");
    row.push_back(run.toBaseline ? toString(run.toBaseline->verdict) : "");
    row.push_back(run.verification ? formatNumber(run.verification->maxAbsError) : "");
    row.push_back(run.reason);
    table.add(std::move(row));
  }
  return table.csv();
}

std::string toMarkdown(const ComparisonReport& report) {
  std::string text = comparisonTable(report).markdown() + "\n";
  text += "Input " + report.input + ", bank " + report.bank + ".\n\n";
  for (const auto& [name, value] : report.environment) text += "- " + name + ": " + value + "\n";
  for (const EngineRun& run : report.runs) {
    if (!run.command.empty())
      text += "- " + run.engine + ", " + std::to_string(run.threads) + " threads: `" + run.command + "`\n";
  }
  return text;
}

std::string toTable(const ComparisonReport& report) {
  return heading(report) + "\n" + comparisonTable(report).aligned();
}

}  // namespace bankside
