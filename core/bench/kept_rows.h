/// Reports that are kept for long: columns named once.
#pragma once

#include <utility>

#include "core/run/report_values.h"

namespace bankside {

/// The rows of a report as objects: one that is kept names its columns once and has a list a row, so a
/// file of thousands of rows stays small. A list that is shorter than the columns throws what nlohmann
/// throws.
inline Json rowsOf(const Json& report) {
  const auto columns = report.find("columns");
  if (columns == report.end()) return report.at("rows");
  Json rows = Json::array();
  for (const Json& values : report.at("rows")) {
    Json row = Json::object();
    for (std::size_t i = 0; i < columns->size(); ++i) row[columns->at(i).get<std::string>()] = values.at(i);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace bankside
