#include "gui/window/compute/assets.h"

#include <QCoreApplication>
#include <QDir>

#include "core/error.h"
#include "core/run/recipe.h"

namespace bankside::window {
namespace {

constexpr const char* recommended = "vessels.json";

std::vector<RecipeFile> readAll() {
  std::vector<RecipeFile> files;
  const QDir folder(assetFile(QStringLiteral("recipes")));
  if (!folder.exists() || folder.path() == QLatin1String(".")) return files;
  QStringList names = folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
  if (names.removeOne(QLatin1String(recommended))) names.prepend(QLatin1String(recommended));
  for (const QString& name : names) {
    try {
      const Recipe recipe = readRecipe(folder.filePath(name).toStdString());
      RecipeFile file{folder.filePath(name), QString::fromStdString(recipe.title), {}};
      const auto add = [&](const std::string& bank) {
        if (!bank.empty()) file.banks.push_back(bank.substr(0, bank.find(':')));
      };
      for (const Stage& stage : recipe.stages) add(stage.bank);
      for (const RecipeStep& step : recipe.steps) add(step.bank);
      files.push_back(std::move(file));
    } catch (const Error&) {
      continue;  // whoever opens it is told
    }
  }
  return files;
}

}  // namespace

QString assetFile(const QString& name) {
  const QDir program(QCoreApplication::applicationDirPath());
  for (const char* folder : {"../share/bankside/", "../../assets/"}) {
    const QString path = program.filePath(QLatin1String(folder) + name);
    if (QFileInfo::exists(path)) return QDir::cleanPath(path);
  }
  return {};
}

QString docsFolder() {
  const QDir program(QCoreApplication::applicationDirPath());
  for (const char* folder : {"../share/bankside/docs", "../../docs"}) {
    const QString path = program.filePath(QLatin1String(folder));
    if (QFileInfo::exists(path + QStringLiteral("/user-guide.md"))) return QDir::cleanPath(path);
  }
  return {};
}

const std::vector<RecipeFile>& recipeFiles() {
  static const std::vector<RecipeFile> files = readAll();
  return files;
}

}  // namespace bankside::window
