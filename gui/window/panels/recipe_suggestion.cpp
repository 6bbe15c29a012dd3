#include "gui/window/panels/recipe_suggestion.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <algorithm>

#include "gui/window/compute/assets.h"

namespace bankside::window {

RecipeSuggestion::RecipeSuggestion(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("recipeSuggestion"));
  text_ = new QLabel(tr("A recipe finds vessels better than a bank by itself."), this);
  text_->setWordWrap(true);
  take_ = new QToolButton(this);
  take_->setObjectName(QStringLiteral("takeRecipe"));
  take_->setText(tr("Use recipe"));
  take_->setToolTip(tr("The recommended recipe; the arrow lists those with this bank"));
  take_->setPopupMode(QToolButton::MenuButtonPopup);
  others_ = new QMenu(take_);
  take_->setMenu(others_);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(9, 4, 9, 2);
  row->addWidget(text_, 1);
  row->addWidget(take_);
  connect(take_, &QToolButton::clicked, this, [this] { Q_EMIT recipeWanted(recipeFiles().front().path); });
  connect(&session_, &Session::bankChanged, this, &RecipeSuggestion::readSession);
  readSession();
}

void RecipeSuggestion::readSession() {
  const auto& bank = session_.bank();
  others_->clear();
  std::string name = bank ? bank->info().name : std::string();
  name.resize(std::min(name.size(), name.find(':')));
  const bool vessel = name.rfind("vessel-", 0) == 0;
  setVisible(vessel && !recipeFiles().empty());
  if (!vessel) return;
  for (const RecipeFile& file : recipeFiles()) {
    if (std::find(file.banks.begin(), file.banks.end(), name) == file.banks.end()) continue;
    QAction* action =
        others_->addAction(QFileInfo(file.path).completeBaseName() + QStringLiteral(": ") + file.title);
    connect(action, &QAction::triggered, this, [this, path = file.path] { Q_EMIT recipeWanted(path); });
  }
}

}  // namespace bankside::window
