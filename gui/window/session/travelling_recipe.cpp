#include "gui/window/session/travelling_recipe.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <algorithm>

#include "core/error.h"
#include "core/imageio/atomic_file.h"
#include "core/run/json_node.h"
#include "core/text_file.h"
#include "filters/bank_json.h"
#include "filters/bank_spec.h"
#include "filters/catalog.h"

namespace bankside::window {
namespace {

/// Names of the catalogue travel; what is edited or lies in a file does not.
bool travels(const std::string& spec) {
  return !spec.empty() && (isBankText(spec) || startsWithBankName(spec, catalog()) ||
                           (spec.find('/') == std::string::npos && !spec.ends_with(".json")));
}

void putInside(std::string& spec, const FilterBank& bank, bool edited, bool filesToo) {
  if (edited || (filesToo && !travels(spec))) spec = parseJsonText(writeBankJson(bank), "bank").dump();
}

std::string maskName(const QByteArray& bytes, const std::string& file) {
  const QByteArray hash = QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().left(16);
  return "mask-" + hash.toStdString() + std::filesystem::path(file).extension().string();
}

}  // namespace

bool holdsBanks(const Recipe& recipe) {
  return std::any_of(recipe.stages.begin(), recipe.stages.end(),
                     [](const Stage& stage) { return isBankText(stage.bank); });
}

QString bankTitle(const std::string& bank) {
  if (isBankText(bank) || bank.empty()) return QCoreApplication::translate("BankTitle", "edited filters");
  const QString text = QString::fromStdString(bank);
  return startsWithBankName(bank, catalog()) ? text : QFileInfo(text).fileName();
}

Recipe travellingRecipe(const Setup& setup, bool filesToo) {
  Recipe recipe = setup.state.recipe;
  if (recipe.ofMaps()) {
    std::size_t bank = 0;
    for (RecipeStep& step : recipe.steps) {
      if (!step.bank.empty() && setup.stepBanks && bank < setup.stepBanks->size())
        putInside(step.bank, (*setup.stepBanks)[bank++], false, filesToo);
    }
    return recipe;
  }
  if (setup.bank) putInside(recipe.stages.front().bank, *setup.bank, setup.bankEdited, filesToo);
  if (setup.then && recipe.stages.size() > 1) putInside(recipe.stages[1].bank, *setup.then, false, filesToo);
  return recipe;
}

std::string travellingText(const Setup& setup, const std::string& ran) {
  Json json = parseJsonText(writeRecipe(travellingRecipe(setup, true)), "recipe");
  const RegionSpec& region = setup.state.region;
  if (!ran.empty()) json["window"]["ran"] = ran;
  if (region.kind != RegionKind::Whole) {
    Json& beside = json["window"]["region"];
    beside["kind"] = toString(region.kind);
    if (region.kind == RegionKind::File) {
      QFile file(QString::fromStdString(region.file));
      if (!file.open(QIODevice::ReadOnly)) throw Error(ErrorCode::Io, region.file + ": cannot be read");
      const QByteArray bytes = file.readAll();
      beside["name"] = maskName(bytes, region.file);
      beside["bytes"] = bytes.toBase64().toStdString();
    } else if (region.kind != RegionKind::FieldOfView) {
      beside["bounds"] = {region.x, region.y, region.width, region.height};
    }
  }
  std::string text = json.dump(2) + "\n";
  if (text.size() > largestRecipe) {
    throw Error(
        ErrorCode::Limit,
        "the recipe would be larger than 1 MiB: save the edited bank, or the mask, as a file of its own and "
        "open that first");
  }
  return text;
}

std::optional<RegionSpec> regionBeside(const std::filesystem::path& recipe,
                                       const std::filesystem::path& folder) {
  const Json json = parseJsonText(readTextFile(recipe, largestRecipe), recipe.string());
  const JsonNode root(json, recipe.string(), "");
  const auto window = root.child("window");
  const auto region = window ? window->child("region") : std::nullopt;
  if (!region) return std::nullopt;
  RegionSpec spec;
  const JsonNode kind = region->need("kind", "a kind of region");
  const auto known = parseRegionKind(kind.text());
  if (!known) kind.fail("whole, rectangle, ellipse, field-of-view or file");
  spec.kind = *known;
  if (spec.kind == RegionKind::File) {
    const QByteArray bytes =
        QByteArray::fromBase64(QByteArray::fromStdString(region->need("bytes", "the mask").text()));
    const std::filesystem::path file = folder / maskName(bytes, region->need("name", "a file's name").text());
    std::filesystem::create_directories(folder);
    writeFileAtomically(file, bytes.toStdString());
    spec.file = file.string();
  } else if (const auto bounds = region->child("bounds")) {
    int* const into[] = {&spec.x, &spec.y, &spec.width, &spec.height};
    if (bounds->size() != 4) bounds->fail("four whole numbers");
    for (std::size_t i = 0; i < 4; ++i) *into[i] = bounds->element(i).whole<int>();
  }
  return spec;
}

}  // namespace bankside::window
