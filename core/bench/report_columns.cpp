// Columns of what reports hold beside the rows of engines.
#include "core/bench/bench_columns.h"
#include "core/text.h"

namespace bankside {
namespace {

Column<MachineLimits> rate(const char* name, double MachineLimits::*field) {
  return {name,
          "",
          [=](const MachineLimits& l) { return positive(l.*field / 1e9); },
          {},
          [=](MachineLimits& l, const Json& value) { l.*field = value.get<double>() * 1e9; }};
}

Column<MachineLimits> duration(const char* name, double MachineLimits::*field) {
  return {name,
          "",
          [=](const MachineLimits& l) { return positive(l.*field * microseconds); },
          {},
          [=](MachineLimits& l, const Json& value) { l.*field = value.get<double>() / microseconds; }};
}

std::function<std::string(const PaperClaim&)> claimText(std::optional<double> PaperClaim::*field) {
  return [=](const PaperClaim& c) { return c.*field ? formatSignificant(*(c.*field)) : "-"; };
}

std::function<Json(const PaperClaim&)> claimValue(std::optional<double> PaperClaim::*field) {
  return [=](const PaperClaim& c) { return c.*field ? number(*(c.*field)) : nullptr; };
}

template <class T>
Column<T> fixed(const char* name, const char* header, double T::*field, int decimals) {
  return {name, header, [=](const T& r) { return number(r.*field); },
          [=](const T& r) { return formatFixed(r.*field, decimals); }};
}

}  // namespace

const Columns<MachineLimits>& limitColumns() {
  using L = MachineLimits;
  static const Columns<L> columns = {
      {"threads",
       "",
       [](const L& l) { return Json(l.threads); },
       {},
       [](L& l, const Json& value) { l.threads = wholeNumber<int>(value); },
       true},
      {"target",
       "",
       [](const L& l) { return textOrNull(l.target); },
       {},
       [](L& l, const Json& value) { l.target = value.get<std::string>(); }},
      rate("gflops", &L::flops),
      rate("tensor_gflops", &L::tensorFlops),
      rate("store_gigabytes_per_second", &L::storeBytes),
      rate("copy_gigabytes_per_second", &L::copyBytes),
      duration("launch_us", &L::launchSeconds),
      duration("graph_launch_us", &L::graphLaunchSeconds),
      {"streams",
       "",
       [](const L& l) {
         Json streams = Json::array();
         for (const L::Stream& s : l.streams)
           streams.push_back(
               {{"filter_count", s.planes}, {"gigabytes_per_second", s.bytes / 1e9}, {"order", s.order}});
         return streams;
       },
       {},
       [](L& l, const Json& value) {
         for (const Json& s : value)
           l.streams.push_back({wholeNumber<int>(s.at("filter_count")),
                                s.at("gigabytes_per_second").get<double>() * 1e9,
                                s.at("order").get<std::string>()});
       }}};
  return columns;
}

const Columns<PeerRatio>& ratioColumns() {
  using R = PeerRatio;
  static const Columns<R> columns = {
      {"engine", "engine", [](const R& r) { return Json(r.engine); }},
      {"filter_size", "K", [](const R& r) { return r.filterSize == 0 ? Json(nullptr) : Json(r.filterSize); },
       [](const R& r) { return r.filterSize == 0 ? "all" : std::to_string(r.filterSize); }},
      {"cells", "cells", [](const R& r) { return Json(r.cells); }},
      fixed("mean", "mean of times ours", &R::arithmeticMean, 2),
      fixed("geometric_mean", "geometric mean", &R::geometricMean, 2),
      fixed("smallest", "smallest", &R::smallest, 2)};
  return columns;
}

const Columns<PaperClaim>& claimColumns() {
  using C = PaperClaim;
  static const Columns<C> columns = {
      {"claim", "the paper's claim", [](const C& c) { return Json(c.claim); }},
      {"cell", "cell", [](const C& c) { return Json(c.cell); }},
      {"paper", "paper", claimValue(&C::paper), claimText(&C::paper)},
      {"computed", "computed", claimValue(&C::computed), claimText(&C::computed)},
      {"here", "here", claimValue(&C::here), claimText(&C::here)},
      {"in", "in", [](const C& c) { return Json(c.in); }},
      {"how", "how", [](const C& c) { return Json(c.how); }}};
  return columns;
}

const Columns<BankWidthRow>& widthColumns() {
  using W = BankWidthRow;
  static const Columns<W> columns = {
      {"what", "what", [](const W& w) { return Json(w.what); }},
      {"type", "type", [](const W& w) { return Json(w.type); }},
      {"unit_elements", "unit", [](const W& w) { return Json(w.unitElements); }},
      {"unit_bytes", "bytes", [](const W& w) { return Json(w.unitBytes); }},
      {"match", "match", [](const W& w) { return Json(matchWord(w.unitBytes)); }},
      fixed("measured", "measured", &W::measured, 1),
      {"measured_in", "in", [](const W& w) { return Json(w.measuredIn); }},
      fixed("speed_to_matched", "speed to matched", &W::relative, 2),
      fixed("models_speed_to_matched", "model", &W::predicted, 2),
      {"disposition", "", [](const W& w) { return Json(toString(w.disposition)); }},
      {"reason", "note", [](const W& w) { return textOrNull(w.reason); }}};
  return columns;
}

}  // namespace bankside
