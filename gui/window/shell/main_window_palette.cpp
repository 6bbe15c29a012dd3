/// Everything that can be found by a few letters: commands, parameters, banks, recipes, pictures.
#include <QAction>
#include <QDockWidget>
#include <QFileInfo>

#include "filters/catalog.h"
#include "gui/window/compute/assets.h"
#include "gui/window/compute/thumbnail.h"
#include "gui/window/panels/bank_panel.h"
#include "gui/window/shell/command_palette.h"
#include "gui/window/shell/main_window.h"

namespace bankside::window {

void MainWindow::showPalette() {
  QList<QAction*> actions;
  for (QAction* action : findChildren<QAction*>()) {
    const QString name = action->objectName();
    const bool recipe = name.startsWith(QLatin1String("actionRecipe-"));  // below, said to be one
    if (name.startsWith(QLatin1String("action")) && !recipe) actions.append(action);
  }
  // Until the next time: what was chosen runs when the palette is gone.
  delete found_;
  found_ = new QObject(this);
  const auto add = [&](const QString& text, const QString& hint, auto run) {
    auto* action = new QAction(text, found_);
    action->setToolTip(hint);
    connect(action, &QAction::triggered, this, run);
    actions.append(action);
  };
  const bool bankOnShow = session_.bank() && !session_.recipe().ofMaps();
  for (QWidget* control : bankOnShow ? bank_->parameters() : QList<QWidget*>()) {
    // The bank may change while the palette is open.
    add(tr("Parameter %1").arg(control->accessibleName()), control->toolTip(),
        [this, control = QPointer<QWidget>(control)] {
          auto* dock = findChild<QDockWidget*>(QStringLiteral("bankDock"));
          dock->show();
          dock->raise();
          if (control) bank_->goToParameter(control);
        });
  }
  for (const CatalogEntry& entry : catalog()) {
    const QString name = QString::fromStdString(entry.name);
    add(tr("Bank %1").arg(name), QString::fromStdString(entry.title),
        [this, name] { workflow_.chooseBank(name); });
  }
  for (const RecipeFile& recipe : recipeFiles()) {
    add(tr("Recipe %1").arg(QFileInfo(recipe.path).completeBaseName()), recipe.title,
        [this, path = recipe.path] { takeRecipe(path); });
  }
  QStringList pictures = session_.state().recent;
  if (session_.picture()) {
    for (const auto& file : imagesBeside(session_.picture()->path)) {
      const QString path = QString::fromStdString(file.string());
      if (!pictures.contains(path)) pictures << path;
    }
  }
  for (const QString& path : pictures)
    add(tr("Picture %1").arg(QFileInfo(path).fileName()), path, [this, path] { openPath(path); });
  CommandPalette(actions, this).exec();
}

}  // namespace bankside::window
