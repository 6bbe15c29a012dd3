/// What the window says: sentences of people, buttons that mend what they say, and help.
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTextBrowser>
#include <QTimer>
#include <fstream>
#include <optional>

#include "gui/window/canvas/image_pane.h"
#include "gui/window/compute/assets.h"
#include "gui/window/compute/folder_report.h"
#include "tests/gui/window/picture_folder.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::PictureFolder;
using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class WordsWindow : public WindowFixture {
 protected:
  QPushButton* help() { return find<QPushButton>("bannerHelp"); }
  void write(const char* name, const char* text) { std::ofstream(folder_ / name) << text; }
  void openFile(const char* name) { window_->openPath(QString::fromStdString((folder_ / name).string())); }
  bool saysThat(const QString& words) {
    return QTest::qWaitFor([&] { return banner().contains(words); }, 60000);
  }
  /// Looks at the dialog that comes up.
  void inDialog(const std::function<void(QDialog&)>& look) {
    QTimer* looking = new QTimer(window_.get());
    QObject::connect(looking, &QTimer::timeout, looking, [looking, look] {
      auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr || !dialog->isVisible()) return;
      looking->deleteLater();
      look(*dialog);
      dialog->close();
    });
    looking->start(10);
  }
};

TEST_F(WordsWindow, ARecipeThatIsNoneIsSaidWithoutWordsOfAParser) {
  write("a.json", R"({"bankside": "recipe", "version": 4, "steps": [{"do": "nonsense"}]})");
  openFile("a.json");
  ASSERT_TRUE(saysThat(QStringLiteral("step 1, “do”: found \"nonsense\""))) << banner().toStdString();
  EXPECT_FALSE(banner().contains(QStringLiteral("/steps")));
  EXPECT_EQ(help()->text(), QStringLiteral("Open another…"));
  write("b.json", R"({"bankside": "recipe", "version": 4, steps: 3})");
  openFile("b.json");
  ASSERT_TRUE(saysThat(QStringLiteral("b.json: is no valid JSON from line 1, column 38 on")))
      << banner().toStdString();
}

TEST_F(WordsWindow, StepsOfARecipeAreListedInWords) {
  window_->showSample();
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() && session_->recipe().ofMaps(); }, 60000));
  auto* steps = find<QListWidget>("recipeSteps");
  QStringList all;
  for (int i = 0; i < steps->count(); ++i) all << steps->item(i)->text();
  EXPECT_EQ(all.value(12), QStringLiteral("13  quotient of ridge and contrast, floor 0.000001"));
  EXPECT_TRUE(all.value(8).contains(QStringLiteral("max over orientation"))) << all.value(8).toStdString();
  for (const QString& each : all) {
    EXPECT_FALSE(each.contains(QStringLiteral("e-0"))) << each.toStdString();
    EXPECT_FALSE(each.contains(QLatin1Char('('))) << each.toStdString();
  }
  ASSERT_TRUE(settled());
}

TEST_F(WordsWindow, ABannerGoesWithItsCauseOrMendsIt) {
  window_->showSample();
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() && session_->recipe().ofMaps(); }, 60000));
  ASSERT_TRUE(settled());
  QTest::keyClick(window_.get(), Qt::Key_F5);
  ASSERT_TRUE(saysThat(QStringLiteral("A recipe of steps is not timed as a whole")));
  EXPECT_EQ(help()->text(), QStringLiteral("Use a bank by itself"));
  click(help());
  ASSERT_TRUE(QTest::qWaitFor([&] { return !session_->recipe().ofMaps(); }, 60000));
  EXPECT_TRUE(banner().isEmpty());
  ASSERT_TRUE(settled());

  // What is said of a region goes when there is one, and the button draws it.
  trigger("actionSaveMask");
  ASSERT_TRUE(saysThat(QStringLiteral("There is no region to save")));
  trigger("actionRegionFieldOfView");
  EXPECT_TRUE(banner().isEmpty()) << banner().toStdString();
  ASSERT_TRUE(settled());
}

TEST_F(WordsWindow, AnEngineThatTakesNotTheBankIsLeftByTheButton) {
  open("photo.png", randomImage(1, 60, 80, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  session_->selectPlane(1);
  Recipe recipe = session_->recipe();
  recipe.engine = "opencv:sepFilter2D";
  session_->setRecipe(recipe);
  const QString title = QStringLiteral("Let the program choose the engine");
  ASSERT_TRUE(QTest::qWaitFor([&] { return offer(title) != nullptr; }, 60000));
  click(offer(title));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->recipe().engine == "auto"; }, 60000));
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->shown(1).age, Session::Shown::Age::Present);
  EXPECT_EQ(offer(title), nullptr);
}

TEST_F(WordsWindow, HelpSaysHowToBeginTheKeysAndWhereTheDocumentationIs) {
  int seen = 0;
  std::optional<PictureFolder> pictures;
  if (PictureFolder::wanted()) pictures.emplace();
  inDialog([&](QDialog& dialog) {
    EXPECT_EQ(dialog.objectName(), QStringLiteral("guide"));
    auto* tabs = dialog.findChild<QTabWidget*>(QStringLiteral("guideTabs"));
    ASSERT_EQ(tabs->count(), 3);
    const auto text = [&](const char* name) {
      return dialog.findChild<QTextBrowser*>(QLatin1String(name))->toPlainText();
    };
    for (const char* word : {"Open", "recipe", "AUC", "Copy as command", "--help"})
      EXPECT_TRUE(text("guideStart").contains(QLatin1String(word))) << word;
    EXPECT_TRUE(text("guideStart").contains(docsFolder()));
    EXPECT_FALSE(docsFolder().isEmpty());
    // Every key of the menus.
    for (const char* action :
         {"actionOpen", "actionKeep", "actionMeasure", "actionBlink", "actionRegionEllipse"})
      EXPECT_TRUE(text("guideKeys").contains(find<QAction>(action)->shortcut().toString())) << action;
    EXPECT_TRUE(text("guideWindow").contains(QStringLiteral("Run over folder")));
    EXPECT_FALSE(text("guideWindow").contains(QStringLiteral("cuda:fft"))) << "the window's section alone";
    for (int i = 0; i < tabs->count(); ++i) {
      QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(i).center());
      if (pictures) pictures->keep("guide-" + std::to_string(i), &dialog);
    }
    ++seen;
  });
  QTest::keyClick(window_.get(), Qt::Key_F1);
  EXPECT_EQ(seen, 1);
}

TEST_F(WordsWindow, TheSampleAndAFolderAreInTheMenuAndThePalette) {
  QString file;
  for (const QAction* action : window_->menuBar()->actions().first()->menu()->actions())
    file += action->text().remove(QLatin1Char('&')) + QLatin1Char('\n');
  for (const char* entry : {"Open a folder…\n", "Sample photograph\n"})
    EXPECT_TRUE(file.contains(QString::fromUtf8(entry))) << file.toStdString();
  inDialog([](QDialog& dialog) {
    auto* text = dialog.findChild<QLineEdit*>(QStringLiteral("paletteText"));
    auto* list = dialog.findChild<QListWidget*>(QStringLiteral("paletteList"));
    QTest::keyClicks(text, QStringLiteral("open a folder"));
    EXPECT_TRUE(list->item(0)->text().startsWith(QStringLiteral("Open a folder")));
    text->clear();
    QTest::keyClicks(text, QStringLiteral("sample"));
    QTest::keyClick(text, Qt::Key_Return);
  });
  trigger("actionPalette");
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000));
  EXPECT_EQ(session_->picture()->path.filename(), "retina.jpg");
  ASSERT_TRUE(settled());
}

TEST_F(WordsWindow, TheSavedPictureHasThePanesAndTheirTitlesAndNoFields) {
  open("photo.png", randomImage(1, 60, 80, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  const std::filesystem::path file = folder_ / "side.png";
  inDialog([&](QDialog& dialog) {
    dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))
        ->setText(QString::fromStdString(file.string()));
    QTest::mouseClick(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save), Qt::LeftButton);
  });
  trigger("actionSavePicture");
  ASSERT_TRUE(std::filesystem::exists(file));
  const QImage saved = QImage(QString::fromStdString(file.string())).convertToFormat(QImage::Format_RGB32);
  auto* canvas = find<Canvas>("canvas");
  const qreal scale = canvas->devicePixelRatioF();
  for (int i = 0; i < 2; ++i) {
    ImagePane* pane = canvas->pane(i);
    const QPoint at = pane->mapTo(canvas, QPoint()) * scale;
    const QImage shown = pane->grab().toImage().convertToFormat(QImage::Format_RGB32);
    EXPECT_EQ(saved.copy(QRect(at, shown.size())), shown) << i;
    // Above it stands its title, on plain ground: no frame of a field runs along its edge.
    const QRect above(at.x(), 0, shown.width(), at.y() - 1);
    const QRgb ground = saved.pixel(above.topLeft());
    bool title = false;
    for (int x = above.left(); x <= above.right(); ++x) {
      EXPECT_EQ(saved.pixel(x, above.top()), ground) << i << " at " << x;
      for (int y = above.top(); y <= above.bottom() && !title; ++y) title = saved.pixel(x, y) != ground;
    }
    EXPECT_TRUE(title) << i;
  }
}

TEST(TruthBeside, IsFoundByWhatNamesHaveInCommon) {
  const bankside::testing::TemporaryFolder folder;
  for (const char* name : {"01_image.png", "01_manual.png", "02_image.png", "02_manual.png", "03_image.png"})
    std::ofstream(folder / name) << "x";
  EXPECT_EQ(truthBeside(folder / "01_manual.png", folder / "01_image.png", folder / "02_image.png"),
            folder / "02_manual.png");
  EXPECT_EQ(truthBeside(folder / "01_manual.png", folder / "01_image.png", folder / "03_image.png"), "");
}

/// The marks of eye_1_2 begin with eye_1 too.
TEST(TruthBeside, IsNotThatOfAnotherPictureWhoseNameIsLonger) {
  const bankside::testing::TemporaryFolder folder;
  for (const char* name : {"eyes/eye_1.png", "eyes/eye_1_2.png", "eyes/eye_3.png", "marks/eye_1_m.png",
                           "marks/eye_1_2_m.png", "marks/3.png"}) {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << "x";
  }
  EXPECT_EQ(truthBeside(folder / "marks/3.png", folder / "eyes/eye_3.png", folder / "eyes/eye_1.png"),
            folder / "marks/eye_1_m.png");
}

}  // namespace
}  // namespace bankside::window
