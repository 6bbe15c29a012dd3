#include "tests/gui/window/picture_folder.h"

#include <gtest/gtest.h>

#include <QStringList>
#include <QTest>
#include <cstdlib>

namespace bankside::testing {

bool PictureFolder::wanted() { return std::getenv("BANKSIDE_SCREENSHOTS") != nullptr; }

bool PictureFolder::sized() { return qEnvironmentVariableIsSet("BANKSIDE_SCREENSHOTS_SIZE"); }

QSize PictureFolder::size() {
  const QStringList sides = qEnvironmentVariable("BANKSIDE_SCREENSHOTS_SIZE").split(QLatin1Char('x'));
  return sides.size() == 2 ? QSize(sides[0].toInt(), sides[1].toInt()) : QSize(1024, 700);
}

PictureFolder::PictureFolder() : into_(std::getenv("BANKSIDE_SCREENSHOTS")) {
  std::filesystem::create_directories(into_);
  if (std::getenv("BANKSIDE_SCREENSHOTS_DARK") != nullptr) usual_ = window::Appearance::Dark;
  applyAppearance(usual_);
}

PictureFolder::~PictureFolder() { applyAppearance(window::Appearance::System); }

void PictureFolder::keep(const std::string& name, QWidget* widget) const {
  QTest::qWait(120);
  EXPECT_TRUE(widget->grab().save(QString::fromStdString((into_ / (name + ".png")).string())));
}

}  // namespace bankside::testing
