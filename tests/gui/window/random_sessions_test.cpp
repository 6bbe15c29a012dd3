/// Sessions of a person who does anything, and what holds in all of them.
/// BANKSIDE_SESSIONS says how many, BANKSIDE_FIRST_SESSION the number that the first one is seeded with.
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <cstdlib>
#include <fstream>

#include "core/text.h"
#include "gui/window/session/analysis.h"
#include "gui/window/session/evaluation_run.h"
#include "gui/window/session/folder_run.h"
#include "gui/window/session/history.h"
#include "gui/window/session/pane_comparison.h"
#include "gui/window/session/pane_message.h"
#include "gui/window/session/travelling_recipe.h"
#include "gui/window/session/truth.h"
#include "tests/gui/window/random_sessions.h"

namespace bankside::window {
namespace {

using bankside::testing::bytesOf;

unsigned fromEnvironment(const char* name, unsigned otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? static_cast<unsigned>(std::atoi(text)) : otherwise;
}

}  // namespace

QJsonObject RandomSessions::state() {
  QJsonObject json = toJson(session_->state());
  for (const char* key : {"recent", "zoom", "centerX", "centerY", "fit", "pixel", "swipe"})
    json.remove(QLatin1String(key));
  return json;
}

void RandomSessions::nobodyWaitsForNothing() {
  ASSERT_TRUE(QTest::qWaitFor([&] { return !controller_->busy(); }, 120000));
  QTest::qWait(1);
  if (controller_->busy()) return;
  for (const PaneSpec& pane : session_->state().panes) {
    const PaneMessage message = messageFor(*session_, session_->keyOf(pane));
    EXPECT_FALSE(message.pending) << toString(pane.layer) << " " << message.text.toStdString();
  }
  auto* comparison = window_->findChild<PaneComparison*>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !comparison->busy(); }, 120000));
  EXPECT_FALSE(comparison->sentence().endsWith(QStringLiteral("…"))) << comparison->sentence().toStdString();
  auto* truth = window_->findChild<Truth*>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !truth->busy(); }, 120000));
  EXPECT_FALSE(truth->waiting().endsWith(QStringLiteral("…"))) << truth->waiting().toStdString();
  auto* run = window_->findChild<FolderRun*>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !run->busy(); }, 120000));
  EXPECT_NE(run->state(), FolderRun::State::Running);
  EXPECT_NE(run->state(), FolderRun::State::Stopping);
  EXPECT_NE(find<QPushButton>("folderStart")->text(), QStringLiteral("Stop"));
  auto* evaluation = window_->findChild<EvaluationRun*>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !evaluation->busy(); }, 120000));
  EXPECT_NE(evaluation->state(), EvaluationRun::State::Running);
  EXPECT_NE(evaluation->state(), EvaluationRun::State::Stopping);
  EXPECT_NE(find<QPushButton>("evaluationStart")->text(), QStringLiteral("Stop"));
  auto* analysis = window_->findChild<Analysis*>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !analysis->busy(); }, 120000));
  EXPECT_NE(find<QPushButton>("measure")->text(), QStringLiteral("Stop"));
  // What has just ended says so with the next events; a file that the session has changed may be opened anew.
  const auto* status = find<QLabel>("statusWork");
  EXPECT_TRUE(QTest::qWaitFor(
      [&] {
        return controller_->busy() || status->text() == QStringLiteral("Ready") ||
               status->text() == QStringLiteral("Stopped");
      },
      60000))
      << status->text().toStdString();
}

void RandomSessions::endsWell() {
  nobodyWaitsForNothing();
  workflow_->compute();  // what was cancelled stays cancelled until somebody asks
  ASSERT_TRUE(settled()) << banner().toStdString();
  window_->grab();
  nobodyWaitsForNothing();
}

void RandomSessions::undoesToTheStart() {
  History& history = window_->history();
  history.endAction();
  while (history.canUndo()) {
    const int to = history.present() - 1;
    trigger("actionUndo");
    ASSERT_TRUE(QTest::qWaitFor([&] { return history.present() == to; }, 60000)) << banner().toStdString();
  }
  QTest::qWait(1);
  EXPECT_EQ(state(), start_);
  EXPECT_EQ(session_->bank(), startBank_);
  const int last = static_cast<int>(history.steps().size()) - 1;
  if (last == 0) return;
  history.goTo(last);
  ASSERT_TRUE(QTest::qWaitFor([&] { return history.present() == last; }, 60000)) << banner().toStdString();
}

void RandomSessions::replays() {
  ASSERT_TRUE(settled());
  if (!session_->picture() || session_->planes().empty() || !session_->channelError().isEmpty() ||
      session_->scaleMissing())
    return;
  const std::filesystem::path recipe = folder_ / "recorded.json";
  std::ofstream(recipe) << travellingText(session_->setup(), {});
  std::filesystem::remove_all(folder_ / "window");
  std::filesystem::remove_all(folder_ / "headless");
  int files = 0;
  const auto listening = QObject::connect(workflow_.get(), &Workflow::exported, workflow_.get(),
                                          [&](const QString&, int count) { files = count; });
  workflow_->exportResponses(QString::fromStdString((folder_ / "window").string()), false);
  QTest::qWait(1);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !controller_->busy(); }, 60000));
  QObject::disconnect(listening);
  ASSERT_GT(files, 0) << banner().toStdString() << writeRecipe(session_->recipe());
  QStringList line = {QStringLiteral("filter"),   session_->state().imagePath,
                      QStringLiteral("--recipe"), QString::fromStdString(recipe.string()),
                      QStringLiteral("--output"), QString::fromStdString((folder_ / "headless").string())};
  if (session_->asksForScale())
    line << QStringLiteral("--scale")
         << QString::fromStdString(formatNumber(session_->state().pixelsPerDegree));
  const Picture& picture = *session_->picture();
  if (picture.info.pages > 1 && !picture.stacked)
    line << QStringLiteral("--page") << QString::number(picture.page + 1);
  QProcess headless;
  headless.start(QStringLiteral(BANKSIDE_PROGRAM), line);
  ASSERT_TRUE(headless.waitForFinished(120000));
  ASSERT_EQ(headless.exitCode(), 0) << headless.readAllStandardError().toStdString();
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "window")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".region.png")) continue;  // what was looked at, no result
    EXPECT_TRUE(bytesOf(entry.path()) == bytesOf(folder_ / "headless" / name)) << name;
  }
}

TEST_F(RandomSessions, NothingCrashesHangsOrLiesAndEverythingIsUndoneAndReplayed) {
  const unsigned first = fromEnvironment("BANKSIDE_FIRST_SESSION", 1);
  const unsigned sessions = fromEnvironment("BANKSIDE_SESSIONS", 20);
  QObject::connect(&answering_, &QTimer::timeout, &answering_, [this] { answer(); });
  answering_.start(10);
  for (unsigned number = first; number < first + sessions; ++number) {
    SCOPED_TRACE(::testing::Message() << "BANKSIDE_FIRST_SESSION=" << number << " BANKSIDE_SESSIONS=1");
    random_.seed(number);
    makeWindow();  // the one before is closed in whatever it does
    if (below(4) != 0) {
      window_->openPath(QString::fromStdString((in_ / "grey.png").string()));
      ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000));
      ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
    }
    window_->history().restart();
    start_ = state();
    startBank_ = session_->bank();
    const int actions = 10 + below(30);
    for (int i = 0; i < actions && !HasFatalFailure(); ++i) act();
    if (below(5) == 0) continue;  // closed in the middle
    endsWell();
    if (HasFatalFailure()) return;
    undoesToTheStart();
    if (HasFatalFailure()) return;
    replays();
    if (HasFailure()) return;
  }
}

}  // namespace bankside::window
