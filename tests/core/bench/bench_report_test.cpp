/// Rows of a device in every form, and read back.
#include "core/bench/bench_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace bankside {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

const MachineLimits limits{.threads = 0,
                           .flops = 60e12,
                           .copyBytes = 4e12,
                           .tensorFlops = 600e12,
                           .streams = {{1, 3e12, "a"}, {8, 2e12, "b"}}};

BenchRow row(const std::string& problem, const std::string& engine, double seconds) {
  const ConvolutionProblem p = parseProblem(problem);
  BenchRow r = makeDeviceRow(p, p.flops(), engine, limits);
  r.plans = {{.shape = "v"}};
  r.disposition = Disposition::Passed;
  r.times[Phase::Hot] = {{seconds, seconds, seconds}};
  r.times[Phase::Whole] = {.interval = {seconds, 0.9 * seconds, 1.1 * seconds}, .sets = 3};
  r.times[Phase::Sustained] = {{3 * seconds, seconds, 4 * seconds}};
  r.times[Phase::HotLaunched] = {{2 * seconds, seconds, 3 * seconds}};
  return r;
}

BenchReport sample() {
  BenchReport report{.kind = ReportKind::Device,
                     .what = "figure7",
                     .command = "c",
                     .environment = {{"gpu", "G"}},
                     .limits = {limits}};
  report.rows = {row("c1h64w64-f8k3-reflect101-f32:f32-none", "ours", 1e-6),
                 row("c1h64w64-f8k3-constant=0-f32:f32-none", "peer", 4e-6),
                 row("c1h128w128-f8k3-reflect101-f32:f32-none", "ours", 1e-6),
                 row("c1h128w128-f8k3-constant=0-f32:f32-none", "peer", 9e-6),
                 row("c1h64w64-f1k5-reflect101-f32:f32-none", "ours", 2e-6)};
  BenchRow refused = row("c1h64w64-f1k5-constant=0-f32:f32-none", "peer", 1);
  refused.times.clear();
  refused.disposition = Disposition::Unsupported;
  refused.reason = "no";
  report.rows.push_back(refused);
  return report;
}

TEST(DeviceFloor, IsTheLargerOfBytesAndOperations) {
  // 64 x 64 pixels, 4 bytes each read once and written 8 times.
  const ConvolutionProblem memory = parseProblem("c1h64w64-f8k1-reflect101-f32:f32-none");
  const auto floor = [](const ConvolutionProblem& p, const MachineLimits& of) {
    return makeDeviceRow(p, p.flops(), "e", of).floor;
  };
  EXPECT_EQ(floor(memory, limits).bound, "memory");
  EXPECT_DOUBLE_EQ(floor(memory, limits).seconds, 64.0 * 64 * 4 * 9 / 4e12);
  const ConvolutionProblem fma = parseProblem("c1h64w64-f8k31-reflect101-f32:f32-none");
  EXPECT_EQ(floor(fma, limits).bound, "fma");
  EXPECT_DOUBLE_EQ(floor(fma, limits).seconds, 2.0 * 64 * 64 * 8 * 961 / 60e12);
  EXPECT_EQ(floor(fma, {}).seconds, 0);
}

TEST(DeviceFloor, TakesTheStreamOfTheNearestPlaneCount) {
  const auto bytes = 64.0 * 64 * 4;
  EXPECT_DOUBLE_EQ(streamSeconds(parseProblem("c1h64w64-f7k1-reflect101-f32:f32-none"), limits),
                   bytes * 8 / 2e12);
  // A fused combine writes one plane, whatever F is.
  EXPECT_DOUBLE_EQ(streamSeconds(parseProblem("c1h64w64-f7k1-reflect101-f32:f32-max"), limits),
                   bytes * 2 / 3e12);
}

TEST(PeerRatios, ComparesCellsWhateverTheBorder) {
  const auto ratios = peerRatios(sample().rows);
  ASSERT_EQ(ratios.size(), 2u);
  EXPECT_EQ(ratios[0].filterSize, 3);
  EXPECT_EQ(ratios[0].cells, 2);
  EXPECT_DOUBLE_EQ(ratios[0].arithmeticMean, 6.5);
  EXPECT_NEAR(ratios[0].geometricMean, 6.0, 1e-12);
  EXPECT_DOUBLE_EQ(ratios[0].smallest, 4.0);
  EXPECT_EQ(ratios[1].filterSize, 0);
  EXPECT_EQ(ratios[1].cells, 2);
}

TEST(DeviceReport, SaysTheSameInEveryForm) {
  const BenchReport report = sample();
  const auto json = nlohmann::json::parse(toJson(report));
  ASSERT_EQ(json["rows"].size(), 6u);
  const auto& first = json["rows"][0];
  for (const char* key :
       {"size",     "filter_size",    "filter_count", "channels", "type",    "dst_type",      "combine",
        "engine",   "variant",        "median_us",    "low_us",   "high_us", "hot_median_us", "hot_low_us",
        "floor_us", "floor_fraction", "cold_sets",    "bytes",    "flops",   "disposition"})
    EXPECT_TRUE(first.contains(key)) << key;
  EXPECT_DOUBLE_EQ(first["median_us"], 1.0);
  EXPECT_DOUBLE_EQ(first["hot_launched_us"], 2.0);
  EXPECT_DOUBLE_EQ(first["sustained_us"], 3.0);
  EXPECT_TRUE(json["rows"][5]["median_us"].is_null());
  EXPECT_EQ(json["rows"][5]["reason"], "no");
  EXPECT_EQ(json["times_ours"][0]["engine"], "peer");
  EXPECT_DOUBLE_EQ(json["limits"][0]["copy_gigabytes_per_second"], 4000.0);
  EXPECT_THAT(toCsv(report), HasSubstr("size,filter_size,filter_count,channels,type,dst_type"));
  EXPECT_THAT(toCsv(report), HasSubstr("gpu: G"));
  EXPECT_THAT(toMarkdown(report), HasSubstr("| peer "));
  EXPECT_THAT(toTable(report), ::testing::ContainsRegex("UNSUPPORTED.* no\n"));
  EXPECT_THAT(toTable(report), HasSubstr("copy 4000 GB/s"));
}

TEST(DeviceReport, ReadsWhatItWrote) {
  BenchReport report = sample();
  report.notes = {"a note"};
  report.rows[0].source = "earlier.json";
  const std::string json = toJson(report);
  EXPECT_EQ(nlohmann::json::parse(json)["complete"], false);
  BenchReport again = readBenchReport(json, "file.json", ReportKind::Device);
  EXPECT_EQ(again.rows[0].source, "earlier.json");
  for (std::size_t i = 1; i < again.rows.size(); ++i) {
    EXPECT_EQ(again.rows[i].source, "file.json");
    again.rows[i].source.clear();
  }
  EXPECT_EQ(toJson(again), json);
}

/// As reports are kept: columns named once, a list a row.
TEST(DeviceReport, ReadsRowsUnderNamedColumns) {
  const auto plain = nlohmann::ordered_json::parse(toJson(sample()));
  auto kept = plain;
  kept["columns"] = nlohmann::ordered_json::array();
  for (const auto& [key, value] : plain["rows"][0].items()) kept["columns"].push_back(key);
  for (std::size_t i = 0; i < plain["rows"].size(); ++i) {
    auto values = nlohmann::ordered_json::array();
    for (const auto& key : kept["columns"]) values.push_back(plain["rows"][i][key.get<std::string>()]);
    kept["rows"][i] = values;
  }
  EXPECT_EQ(toJson(readBenchReport(kept.dump(), "kept.json", ReportKind::Device)),
            toJson(readBenchReport(plain.dump(), "kept.json", ReportKind::Device)));

  kept["rows"][0].erase(0);
  EXPECT_THAT([&] { readBenchReport(kept.dump(), "kept.json", ReportKind::Device); },
              ThrowsMessage<Error>(HasSubstr("kept.json")));
}

/// What a row or a limit does not say is not known.
TEST(DeviceReport, ReadsFilesThatLackFields) {
  auto json = nlohmann::ordered_json::parse(toJson(sample()));
  json.erase("complete");
  json.erase("notes");
  json["limits"][0].erase("tensor_gflops");
  for (auto& row : json["rows"])
    for (const char* key : {"images", "source", "sustained_us", "hot_launched_us"}) row.erase(key);
  const BenchReport report = readBenchReport(json.dump(), "old.json", ReportKind::Device);
  EXPECT_TRUE(report.complete);
  ASSERT_EQ(report.rows.size(), 6u);
  EXPECT_EQ(report.rows[1].images, 1);
  EXPECT_FALSE(report.rows[1].times.contains(Phase::Sustained));
  EXPECT_DOUBLE_EQ(report.rows[1].time().median, 4e-6);
}

TEST(BenchReport, SaysWhatShareOfTheMachineACellTakes) {
  BenchReport report = sample();
  report.kind = ReportKind::Bench;
  report.rows[0].fmaFraction = 0.62;
  report.rows[0].storeFraction = 0.08;
  EXPECT_THAT(toTable(report), HasSubstr(" 62%"));
  const auto json = nlohmann::json::parse(toJson(report))["rows"];
  EXPECT_EQ(json[0]["fma_fraction"], 0.62);
  EXPECT_EQ(json[0]["store_fraction"], 0.08);
  EXPECT_TRUE(json[1]["fma_fraction"].is_null()) << "not known";
}

/// Our own time of a cell is the first one.
TEST(PeerRatios, TakeTheFirstRowOfACell) {
  std::vector<BenchRow> rows = sample().rows;
  rows.push_back(rows[0]);
  rows.back().times[Phase::Hot].interval.median = 1;
  const auto ratios = peerRatios(rows);
  EXPECT_DOUBLE_EQ(ratios[0].smallest, 4.0);
}

TEST(DeviceReport, SaysWhatIsWrongWithAnotherFile) {
  const std::string json = toJson(sample());
  EXPECT_THAT([] { readBenchReport("{", "a.json", ReportKind::Device); },
              ThrowsMessage<Error>(HasSubstr("a.json is no benchmark on a device")));
  EXPECT_THAT([] { readBenchReport("{\"bankside\": \"bench\"}", "a.json", ReportKind::Device); },
              ThrowsMessage<Error>(HasSubstr("a.json is no benchmark on a device")));
  const auto with = [&](const char* from, const char* to) {
    std::string text = json;
    text.replace(text.find(from), std::string(from).size(), to);
    return text;
  };
  const auto refusal = [&](const char* from, const char* to, const char* sentence) {
    EXPECT_THAT(
        [&] { readBenchReport(with(from, to), "a.json", ReportKind::Device); },
        ThrowsMessage<Error>(AllOf(HasSubstr("a.json is no benchmark on a device: "), HasSubstr(sentence))));
  };
  refusal("\"schema_version\": 2", "\"schema_version\": 7", "its schema version is 7, not 2");
  refusal("\"schema_version\": 2", "\"schema_version\": 1", "its schema version is 1, not 2");
  for (const char* number : {"4294967298", "-2147483649", "18446744073709551618", "8e31", "2.5", "\"2\""})
    refusal("\"schema_version\": 2", ("\"schema_version\": " + std::string(number)).c_str(),
            "expected a whole number");
  refusal("\"problem\": \"c1", "\"problem\": \"z1", "z1");
  refusal("\"problem\": \"c1", "\"riddle\": \"c1", "problem");
  refusal("\"disposition\": \"PASSED", "\"disposition\": \"Passed", "\"Passed\" is no disposition");
}

/// Rows of several images at once are cells of their own, in every form.
TEST(DeviceReport, KeepsBatchesApart) {
  BenchReport report = sample();
  EXPECT_EQ(nlohmann::json::parse(toJson(report))["rows"][0]["images"], 1);
  EXPECT_THAT(toTable(report), Not(HasSubstr("images")));
  BenchRow batch = report.rows[1];
  batch.images = 8;
  report.rows.push_back(batch);
  EXPECT_EQ(nlohmann::json::parse(toJson(report))["rows"][6]["images"], 8);
  EXPECT_THAT(toTable(report), ::testing::ContainsRegex("border +bank +images +engine"));
  EXPECT_THAT(toTable(report), ::testing::ContainsRegex("dense +8 +peer"));
  EXPECT_EQ(peerRatios(report.rows)[0].cells, 2) << "ours has no row of eight images";
}

TEST(DeviceReport, ShowsThePapersClaimsWhereTheyWereAskedFor) {
  BenchReport report = sample();
  EXPECT_FALSE(nlohmann::json::parse(toJson(report)).contains("claims"));
  report.claims.push_back({"loads", "K 3, Table 1", 0.375, 0.5, {}, "1", "counted"});
  const auto json = nlohmann::json::parse(toJson(report));
  ASSERT_EQ(json["claims"].size(), 1u);
  EXPECT_DOUBLE_EQ(json["claims"][0]["computed"], 0.5);
  EXPECT_TRUE(json["claims"][0]["here"].is_null());
  EXPECT_THAT(toTable(report), HasSubstr("K 3, Table 1"));
  EXPECT_THAT(toMarkdown(report), HasSubstr("| loads | K 3, Table 1 | 0.375 | 0.500 | - | 1 | counted |"));
}

/// Every number of a side-by-side is in its JSON, every sample too; its tables have no room for those.
TEST(ComparisonReport, SaysTheSameInEveryForm) {
  BenchReport report{
      .kind = ReportKind::Comparison, .command = "c", .environment = {{"cpu", "P"}}, .input = "a.png"};
  report.problems = {parseProblem("c1h64w64-f8k3-reflect101-f32:f32-none")};
  BenchRow peer;
  peer.engine = "peer";
  peer.baseline = true;
  peer.disposition = Disposition::Passed;
  peer.megapixelFilters = 2;
  peer.times[Phase::Whole] = timingOf({2e-3, 2e-3, 2e-3});
  peer.times[Phase::Compute] = timingOf({1e-3, 1e-3, 1e-3});
  BenchRow ours = peer;
  ours.engine = "ours";
  ours.plans = {{.path = "path", .shape = "tile; 3", .why = "it was picked"}};
  ours.baseline = false;
  ours.toBaseline = SpeedRatio{{2, 1.5, 2.5}, Verdict::Faster};
  ours.verification = Verification{.checked = 9, .maxAbsError = 0.25, .plane = 3, .x = 1, .y = 2};
  BenchRow wrong;
  wrong.engine = "wrong";
  wrong.disposition = Disposition::Incorrect;
  wrong.reason = "pixel (1, 1) of plane 0: got 2, expected 1";
  report.rows = {peer, ours, wrong};
  const auto json = nlohmann::json::parse(toJson(report));
  EXPECT_EQ(json["bankside"], "comparison");
  const auto& row = json["rows"][1];
  EXPECT_EQ(row["variant"], "path, tile; 3; it was picked");
  EXPECT_DOUBLE_EQ(row["median_us"], 2000);
  EXPECT_EQ(row["samples_us"].size(), 3u);
  EXPECT_EQ(row["compute_samples_us"].size(), 3u);
  EXPECT_TRUE(row["upload_median_us"].is_null());
  EXPECT_DOUBLE_EQ(row["ratio_low"], 1.5);
  EXPECT_EQ(row["verdict"], "FASTER");
  EXPECT_EQ(row["verification"]["pixels"], 9);
  EXPECT_DOUBLE_EQ(row["megapixel_filters_per_second"], 1000);
  EXPECT_TRUE(json["rows"][2]["median_us"].is_null());
  EXPECT_EQ(toCsv(report).find("samples_us"), std::string::npos);
  const std::string table = toTable(report);
  for (const char* words : {"a.png", "problem c1h64w64", "2.00 [2.00, 2.00]", "1.00 [1.00, 1.00]", "baseline",
                            "FASTER", "INCORRECT", "0.25 at (1, 2; 3)", "got 2, expected 1", "1000"})
    EXPECT_THAT(table, HasSubstr(words));
  EXPECT_THAT(table, HasSubstr("path, tile; 3"));
  EXPECT_THAT(table, Not(HasSubstr("it was picked")));
  EXPECT_THAT(toMarkdown(report), HasSubstr("| ours |"));
}

TEST(Dispositions, HaveOneSpelling) {
  for (const Disposition d : {Disposition::Passed, Disposition::Incorrect, Disposition::Unsupported,
                              Disposition::Skipped, Disposition::Failed, Disposition::NotVerified})
    EXPECT_EQ(parseDisposition(toString(d)), d);
  EXPECT_EQ(parseDisposition("Passed"), std::nullopt);
  for (const Verdict v : {Verdict::Faster, Verdict::Slower, Verdict::Same, Verdict::Ambiguous})
    EXPECT_EQ(parseVerdict(toString(v)), v);
}

TEST(BenchRows, OfThisRunAreThoseOfNoFile) {
  std::vector<BenchRow> rows = {row("c1h64w64-f8k3-reflect101-f32:f32-none", "ours", 1e-6)};
  EXPECT_TRUE(anyOwn(rows, Disposition::Passed));
  EXPECT_FALSE(anyOwn(rows, Disposition::Failed));
  rows[0].source = "earlier.json";
  EXPECT_FALSE(anyOwn(rows, Disposition::Passed));
  rows.push_back(rows[0]);
  rows[1].source.clear();
  rows[1].disposition = Disposition::Failed;
  EXPECT_TRUE(anyOwn(rows, Disposition::Failed));
  EXPECT_DOUBLE_EQ(megapixelFilters(parseProblem("c3h500w2000-f4k3-reflect101-f32:f32-none")), 4);
}

TEST(DeviceReport, ShowsRatiosWithTwoDigits) {
  const std::string table = toTable(sample());
  EXPECT_THAT(table, ::testing::ContainsRegex("peer +3 +2 +6\\.50 +6\\.00 +4\\.00\n"));
  EXPECT_THAT(table, ::testing::ContainsRegex("peer +all +2 +6\\.50 +6\\.00 +4\\.00\n"));
  const auto json = nlohmann::json::parse(toJson(sample()));
  EXPECT_EQ(json["times_ours"][0]["filter_size"], 3);
  EXPECT_TRUE(json["times_ours"][1]["filter_size"].is_null()) << "of all sizes";
  EXPECT_EQ(json["times_ours"][1]["cells"], 2);
}

TEST(DeviceReport, HasEveryLimitInItsUnitAndReadsIt) {
  BenchReport report = sample();
  report.limits = {{.threads = 3,
                    .target = "T",
                    .flops = 2.5e9,
                    .storeBytes = 3.5e9,
                    .copyBytes = 4.5e9,
                    .tensorFlops = 5.5e9,
                    .launchSeconds = 6.5e-6,
                    .graphLaunchSeconds = 7.5e-6,
                    .streams = {{4, 8.5e9, "by rows"}}}};
  const std::string text = toJson(report);
  const auto json = nlohmann::json::parse(text)["limits"][0];
  for (const auto& [key, number] : std::map<std::string, double>{{"threads", 3},
                                                                 {"gflops", 2.5},
                                                                 {"store_gigabytes_per_second", 3.5},
                                                                 {"copy_gigabytes_per_second", 4.5},
                                                                 {"tensor_gflops", 5.5},
                                                                 {"launch_us", 6.5},
                                                                 {"graph_launch_us", 7.5}})
    EXPECT_NEAR(json.at(key).get<double>(), number, 1e-12) << key;
  EXPECT_EQ(json["target"], "T");
  EXPECT_NEAR(json["streams"][0]["gigabytes_per_second"].get<double>(), 8.5, 1e-12);
  const MachineLimits read = readBenchReport(text, "a.json", ReportKind::Device).limits.at(0);
  EXPECT_EQ(read.threads, 3);
  EXPECT_EQ(read.target, "T");
  EXPECT_EQ(read.streams.at(0).planes, 4);
  EXPECT_EQ(read.streams.at(0).order, "by rows");
  EXPECT_NEAR(read.streams.at(0).bytes, 8.5e9, 1);
  for (const auto field :
       {&MachineLimits::flops, &MachineLimits::storeBytes, &MachineLimits::copyBytes,
        &MachineLimits::tensorFlops, &MachineLimits::launchSeconds, &MachineLimits::graphLaunchSeconds})
    EXPECT_NEAR(read.*field / (report.limits[0].*field), 1, 1e-12);
  EXPECT_EQ(
      limitsText(report.limits),
      "limits, 3 threads: 2.50 GFLOP/s of fused multiply-adds (T), 3.50 GB/s stored, 4.50 GB/s copied\n");
  // Three digits: of a half the even number.
  for (const auto field : {&MachineLimits::flops, &MachineLimits::storeBytes, &MachineLimits::copyBytes})
    report.limits[0].*field += 198e9;
  EXPECT_EQ(limitsText(report.limits),
            "limits, 3 threads: 200 GFLOP/s of fused multiply-adds (T), 202 GB/s stored, 202 GB/s copied\n");
  report.limits[0].copyBytes = 4.5e9;
  report.limits[0].flops = 2.5e9;
  report.limits[0].threads = 0;
  EXPECT_EQ(limitsText(report.limits),
            "copy 4 GB/s\nf32 multiply-adds 0.00 TFLOP/s, mma.sync of halves 0 TFLOP/s\n"
            "launch 6.50 us, in a graph 7.50 us\n"
            "one image read, 4 written: 8 GB/s (by rows), 1.89 of the copy rate\n");
  EXPECT_EQ(findLimits(report.limits, 3), nullptr);
  EXPECT_EQ(findLimits(report.limits, 0), &report.limits[0]);
}

}  // namespace
}  // namespace bankside
