/// What went wrong, and what mends it.
#include <QDockWidget>
#include <QPushButton>
#include <QStatusBar>

#include "gui/window/canvas/canvas.h"
#include "gui/window/compute/thumbnail.h"
#include "gui/window/session/pane_message.h"
#include "gui/window/shell/banner.h"
#include "gui/window/shell/main_window.h"

namespace bankside::window {

void MainWindow::showProblem(const QString& sentence, std::optional<Work> cause) {
  Banner::Help help;
  if (cause == Work::Open) {
    const bool more = session_.picture() && imagesBeside(workflow_.lastAsked().toStdString()).size() > 1;
    help = more ? Banner::Help{tr("Next picture"), [this] { openBesides(1); }}
                : Banner::Help{tr("Open another…"), [this] { chooseImage(); }};
  } else if (cause == Work::Bank) {
    help = {tr("Choose a bank"), [this] {
              auto* dock = findChild<QDockWidget*>(QStringLiteral("bankDock"));
              dock->show();
              dock->raise();
            }};
  } else if (cause == Work::Compute) {
    help = {tr("Compute"), [this] { workflow_.compute(); }};
  } else if (cause == Work::Region) {
    help = {tr("Whole image"), [this] {
              RegionSpec spec = session_.state().region;
              spec.kind = RegionKind::Whole;
              session_.setRegion(spec);
            }};
  } else if (cause == Work::Measure) {
    help = session_.recipe().ofMaps()
               ? Banner::Help{tr("Use a bank by itself"),
                              [this] { findChild<QPushButton*>(QStringLiteral("leaveRecipe"))->click(); }}
           : !session_.picture() ? Banner::Help{tr("Open a picture…"), [this] { chooseImage(); }}
                                 : Banner::Help{};
  } else if (cause == Work::Export) {
    help = {tr("Export again…"), [this] { exportResponses(); }};
  }
  banner_->showSentence(sentence, cause, std::move(help));
}

void MainWindow::showProblem(const QString& sentence, std::optional<Work> cause, const QString& title,
                             std::function<void()> help) {
  banner_->showSentence(sentence, cause, {title, std::move(help)});
}

void MainWindow::showUnsaved(const QString& sentence, std::function<void()> again) {
  showProblem(sentence, Work::Export, tr("Save elsewhere…"), std::move(again));
}

void MainWindow::showSaved(const QString& sentence) {
  banner_->clear(Work::Export);
  statusBar()->showMessage(sentence, 12000);
}

void MainWindow::connectProblems() {
  connect(&workflow_, &Workflow::problem, this,
          [this](const QString& sentence, Work work) { showProblem(sentence, work); });
  const auto clears = [this](auto signal, const auto* sender, Work cause) {
    connect(sender, signal, banner_, [this, cause] { banner_->clear(cause); });
  };
  clears(&Session::pictureChanged, &session_, Work::Open);
  clears(&Session::pictureChanged, &session_, Work::Measure);
  clears(&Session::bankChanged, &session_, Work::Bank);
  clears(&Session::bankChanged, &session_, Work::Measure);
  clears(&Session::regionChanged, &session_, Work::Region);
  clears(&Workflow::exported, &workflow_, Work::Export);
  clears(&Workflow::measured, &workflow_, Work::Measure);
  connect(&session_, &Session::resultsChanged, banner_, [this] {
    if (!session_.stopped()) banner_->clear(Work::Compute);
  });
  connect(canvas_, &Canvas::offerChosen, this, &MainWindow::takeOffer);
}

void MainWindow::takeOffer(const Offer& offer) {
  switch (offer.kind) {
    case Offer::Kind::OpenImage: return chooseImage();
    case Offer::Kind::OpenFolder: return chooseFolder();
    case Offer::Kind::ShowRecipe: return showSample(offer.file);
    case Offer::Kind::Compute: return workflow_.compute();
    case Offer::Kind::TakeAngle: return workflow_.takeAngle(offer.degrees);
    case Offer::Kind::TakeScale: return session_.setScale(offer.degrees);
    case Offer::Kind::TakeEngine: {
      Recipe recipe = session_.recipe();
      recipe.engine = "auto";
      return session_.setRecipe(recipe);
    }
    case Offer::Kind::TakeChannel: {
      session_.setChannelHere(offer.channel);
      return statusBar()->showMessage(
          tr("For this picture alone; others have the channel of before. Channel, under Bank, is for all."),
          12000);
    }
  }
}

}  // namespace bankside::window
