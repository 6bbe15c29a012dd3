/// Rows as JSON, CSV, Markdown and aligned text: all are views of one list of columns.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/run/report_values.h"
#include "core/table.h"

namespace bankside {

/// One value of a row and how each form shows it.
template <class Row>
struct Column {
  std::string name;                                  ///< of the field in JSON and CSV; empty: in neither
  std::string header;                                ///< in tables for people; empty: not there
  std::function<Json(const Row&)> value;             ///< null where there is nothing to say
  std::function<std::string(const Row&)> text = {};  ///< none: that of the value
  std::function<void(Row&, const Json&)> read = {};  ///< none: it follows from others
  bool required = false;                             ///< a row that lacks it is none
};
template <class Row>
using Columns = std::vector<Column<Row>>;

template <class Row>
Json toJson(const Row& row, const Columns<Row>& columns) {
  Json json = Json::object();
  for (const Column<Row>& c : columns)
    if (!c.name.empty()) json[c.name] = c.value(row);
  return json;
}

template <class Row>
Json toJson(const std::vector<Row>& rows, const Columns<Row>& columns) {
  Json json = Json::array();
  for (const Row& row : rows) json.push_back(toJson(row, columns));
  return json;
}

/// Fields that are null or not there leave the row as it is. Errors  Json::exception, Error{BadInput}
template <class Row>
Row readRow(const Json& json, const Columns<Row>& columns) {
  Row row;
  for (const Column<Row>& c : columns) {
    if (!c.read) continue;
    if (c.required) json.at(c.name);
    if (const auto at = json.find(c.name); at != json.end() && !at->is_null()) c.read(row, *at);
  }
  return row;
}

template <class Row>
std::vector<Row> readRows(const Json& json, const Columns<Row>& columns) {
  std::vector<Row> rows;
  for (const Json& row : json) rows.push_back(readRow(row, columns));
  return rows;
}

/// The table for people. A column in which no row has anything to say is left out.
template <class Row>
Table tableOf(const std::vector<Row>& rows, const Columns<Row>& columns) {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> lines(rows.size());
  for (const Column<Row>& c : columns) {
    if (c.header.empty()) continue;
    std::vector<std::string> cells;
    for (const Row& row : rows) cells.push_back(c.text ? c.text(row) : plainText(c.value(row)));
    if (std::all_of(cells.begin(), cells.end(), [](const std::string& cell) { return cell.empty(); }))
      continue;
    header.push_back(c.header);
    for (std::size_t i = 0; i < rows.size(); ++i) lines[i].push_back(std::move(cells[i]));
  }
  Table table(std::move(header));
  for (auto& line : lines) table.add(std::move(line));
  return table;
}

/// What `toCsv` begins with: names enough to be no other table's.
template <class Row>
std::string csvBeginning(const Columns<Row>& columns) {
  constexpr int enough = 4;
  std::string names;
  int count = 0;
  for (const Column<Row>& c : columns)
    if (!c.name.empty() && count++ < enough) names += c.name + ",";
  return names;
}

/// One line a row, with `where` (where it was measured) at its end: a CSV file has no other place.
template <class Row>
std::string toCsv(const std::vector<Row>& rows, const Columns<Row>& columns, const std::string& where) {
  std::vector<std::string> header;
  for (const Column<Row>& c : columns)
    if (!c.name.empty()) header.push_back(c.name);
  header.emplace_back("environment");
  Table table(std::move(header));
  for (const Row& row : rows) {
    std::vector<std::string> cells;
    for (const Column<Row>& c : columns)
      if (!c.name.empty()) cells.push_back(plainText(c.value(row)));
    cells.push_back(where);
    table.add(std::move(cells));
  }
  return table.csv();
}

}  // namespace bankside
