#include "gui/window/panels/bank_document.h"

#include <algorithm>
#include <utility>

#include <QUndoCommand>

#include "core/error.h"
#include "gui/window/compute/core_sentence.h"

namespace bankside::window {
namespace {

/// Banks are small; this many steps of the largest common ones stay under a few megabytes.
constexpr int keptSteps = 200;

int selectionAfter(const BankEdit& edit, int selected) {
  if (const auto* e = std::get_if<ReplaceFilter>(&edit)) return e->index;
  if (const auto* e = std::get_if<InsertFilter>(&edit)) return e->index;
  if (const auto* e = std::get_if<RemoveFilter>(&edit)) return e->index;
  if (const auto* e = std::get_if<MoveFilter>(&edit)) return e->to;
  return selected;
}

}  // namespace

class BankCommand : public QUndoCommand {
 public:
  BankCommand(BankDocument& document, BankEdit forward, BankInfo after, const QString& what)
      : QUndoCommand(what),
        document_(document),
        forward_(std::move(forward)),
        backward_(inverse(document.bank(), forward_)),
        before_(document.bank().info()),
        after_(std::move(after)) {}

  void redo() override { apply(forward_, after_); }
  void undo() override { apply(backward_, before_); }

  int id() const override {
    return std::holds_alternative<ReplaceBank>(forward_) && !after_.generator.empty() ? 1 : -1;
  }

  bool mergeWith(const QUndoCommand* next) override {
    const auto& other = static_cast<const BankCommand&>(*next);
    if (other.after_.generator != after_.generator || before_.generator != after_.generator) return false;
    forward_ = other.forward_;
    after_ = other.after_;
    return true;
  }

 private:
  void apply(const BankEdit& edit, const BankInfo& info) {
    document_.set(applied(document_.bank(), edit, info), selectionAfter(edit, document_.selected()));
  }

  BankDocument& document_;
  BankEdit forward_;
  BankEdit backward_;
  BankInfo before_;
  BankInfo after_;
};

BankDocument::BankDocument(QObject* parent) : QObject(parent) { history_.setUndoLimit(keptSteps); }

void BankDocument::show(const FilterBank& bank) {
  if (bank.info() == bank_.info() && bank.filters() == bank_.filters()) return;
  fromOutside_ = true;
  if (bank_.size() == 0 || bank.size() == 0) {
    history_.clear();
    set(bank, 0);
  } else {
    push(ReplaceBank{bank}, bank.info(), tr("Change of bank"));
  }
  fromOutside_ = false;
}

void BankDocument::choose(const FilterBank& bank) {
  if (bank.info() == bank_.info() && bank.filters() == bank_.filters()) return;
  if (bank_.size() == 0) {
    set(bank, 0);
  } else {
    push(ReplaceBank{bank}, bank.info(), tr("Change of bank"));
  }
}

bool BankDocument::edit(const BankEdit& edit, const QString& what) {
  if (bank_.size() == 0) return false;
  const BankInfo info = handEdited(bank_.info());
  try {
    applied(bank_, edit, info);
  } catch (const Error& error) {
    emit refused(sentenceOf(error));
    emit bankChanged();  // Views that ran ahead come back.
    return false;
  }
  push(edit, info, what);
  return true;
}

bool BankDocument::replaceSelected(const Filter& filter, const QString& what) {
  if (bank_.size() == 0 || filter == selectedFilter()) return true;
  return edit(ReplaceFilter{selected_, filter}, what);
}

bool BankDocument::editInfo(const BankInfo& info, const QString& what) {
  if (bank_.size() == 0 || info == bank_.info()) return true;
  BankInfo edited = handEdited(bank_.info());
  edited.title = info.title;
  edited.mode = info.mode;
  return edit(ReplaceBank{FilterBank(edited, bank_.filters())}, what);
}

void BankDocument::markSaved(const QString& path) {
  BankInfo info = bank_.info();
  info.name = path.toStdString();
  set(FilterBank(std::move(info), bank_.filters()), selected_);
}

void BankDocument::select(int index) {
  if (index < 0 || index >= bank_.size() || index == selected_) return;
  selected_ = index;
  emit selectedFilterChanged(index);
}

void BankDocument::push(const BankEdit& edit, const BankInfo& info, const QString& what) {
  history_.push(new BankCommand(*this, edit, info, what));
}

void BankDocument::set(FilterBank bank, int select) {
  bank_ = std::move(bank);
  const int selected = std::clamp(select, 0, std::max(0, bank_.size() - 1));
  const bool moved = selected != selected_;
  selected_ = selected;
  emit bankChanged();
  if (moved) emit selectedFilterChanged(selected_);
  if (!fromOutside_) emit changedByHand();
}

}  // namespace bankside::window
