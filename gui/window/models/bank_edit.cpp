#include "gui/window/models/bank_edit.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace bankside::window {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

void requireFilter(const FilterBank& bank, int index) {
  if (index >= 0 && index < bank.size()) return;
  throw Error(ErrorCode::BadInput, "The bank has no filter " + std::to_string(index + 1) + "; it has " +
                                       std::to_string(bank.size()) + ".");
}

void moveWithin(std::vector<Filter>& filters, int from, int to) {
  const auto first = filters.begin();
  if (from < to) {
    std::rotate(first + from, first + from + 1, first + to + 1);
  } else {
    std::rotate(first + to, first + from, first + from + 1);
  }
}

}  // namespace

FilterBank applied(const FilterBank& bank, const BankEdit& edit, const BankInfo& info) {
  if (const auto* all = std::get_if<ReplaceBank>(&edit)) return all->bank;
  std::vector<Filter> filters = bank.filters();
  std::visit(Overloaded{[&](const ReplaceFilter& e) {
                          requireFilter(bank, e.index);
                          filters[static_cast<std::size_t>(e.index)] = e.filter;
                        },
                        [&](const InsertFilter& e) {
                          if (e.index != bank.size()) requireFilter(bank, e.index);
                          filters.insert(filters.begin() + e.index, e.filter);
                        },
                        [&](const RemoveFilter& e) {
                          requireFilter(bank, e.index);
                          filters.erase(filters.begin() + e.index);
                        },
                        [&](const MoveFilter& e) {
                          requireFilter(bank, e.from);
                          requireFilter(bank, e.to);
                          moveWithin(filters, e.from, e.to);
                        },
                        [](const ReplaceBank&) {}},
             edit);
  return FilterBank(info, std::move(filters));
}

BankEdit inverse(const FilterBank& bank, const BankEdit& edit) {
  return std::visit(Overloaded{[&](const ReplaceFilter& e) -> BankEdit {
                                 requireFilter(bank, e.index);
                                 return ReplaceFilter{e.index, bank[e.index]};
                               },
                               [](const InsertFilter& e) -> BankEdit { return RemoveFilter{e.index}; },
                               [&](const RemoveFilter& e) -> BankEdit {
                                 requireFilter(bank, e.index);
                                 return InsertFilter{e.index, bank[e.index]};
                               },
                               [](const MoveFilter& e) -> BankEdit {
                                 return MoveFilter{e.to, e.from};
                               },
                               [&](const ReplaceBank&) -> BankEdit { return ReplaceBank{bank}; }},
                    edit);
}

BankInfo handEdited(const BankInfo& info) {
  if (info.name.empty()) return info;
  BankInfo result = info;
  const std::string start = "Edited by hand, starting from " + info.name;
  result.citation = info.citation.empty() ? start + "." : start + " (" + info.citation + ")";
  if (!result.title.ends_with(", edited")) result.title += ", edited";
  result.name.clear();
  result.generator.clear();
  result.parameters.clear();
  return result;
}

std::string freeLabel(const FilterBank& bank, const std::string& wanted) {
  const auto taken = [&](const std::string& label) {
    return std::any_of(bank.filters().begin(), bank.filters().end(),
                       [&](const Filter& f) { return f.label == label; });
  };
  std::string label = wanted;
  for (int number = 2; taken(label); ++number) label = wanted + "-" + std::to_string(number);
  return label;
}

}  // namespace bankside::window
