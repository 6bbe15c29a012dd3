/// Opening: a picture with what it is filtered as, several side by side, and the way back to one.
#include <QFileInfo>
#include <algorithm>

#include "core/engine.h"
#include "core/error.h"
#include "gui/window/compute/core_sentence.h"
#include "gui/window/session/workflow.h"

namespace bankside::window {
namespace {

const std::vector<PlaneKey> inputAlone = {{Layer::Input, 0}};

/// Whether the same channels of a picture are what is filtered.
bool sameInput(const RunSettings& a, const RunSettings& b) {
  return a.recipe == b.recipe && a.bank == b.bank && a.then == b.then && a.stepBanks == b.stepBanks;
}

}  // namespace

std::vector<PlaneKey> Workflow::inputsOnShow() const {
  std::vector<PlaneKey> wanted = inputAlone;
  for (const PaneSpec& pane : session_.state().panes) {
    const PlaneKey key = session_.keyOf({Layer::Input, pane.index, pane.branch});
    if (key.branch == 0 && std::find(wanted.begin(), wanted.end(), key) == wanted.end())
      wanted.push_back(key);
  }
  return wanted;
}

std::vector<PlaneResult> Workflow::inputsOf(const PicturePtr& picture, RunSettings with,
                                            const std::vector<PlaneKey>& wanted,
                                            const std::stop_token& stop) const {
  std::vector<PlaneResult> inputs;
  if (!picture->image) return inputs;  // it is read for its planes alone
  with.picture = picture;
  computePlanes(
      with, wanted, select_,
      [&](PlaneResult made) {
        if (made.plane) inputs.push_back(std::move(made));
      },
      stop);
  return inputs;
}

void Workflow::open(const QString& path, int page) {
  lastAsked_ = path;
  const std::filesystem::path file = path.toStdString();
  const bool stacked = isOfPages(session_.recipe().channel);
  controller_.start(Work::Open, tr("Opening %1").arg(QFileInfo(path).fileName()),
                    [this, path, file, page, stacked, memory = memory_, with = session_.settingsWith(path),
                     wanted = inputsOnShow()](RunController::Context& context) {
                      const PicturePtr picture = openPicture(file, page, stacked, memory);
                      const auto inputs = inputsOf(picture, with, wanted, context.stop);
                      context.deliver([this, path, picture, with, inputs] {
                        const bool same = sameInput(with, session_.settingsWith(path));
                        session_.setPicture(picture, same ? inputs : std::vector<PlaneResult>());
                        Q_EMIT opened();
                        for (const std::string& note : picture->info.notes) {
                          Q_EMIT notice(sentenceOf(note));
                        }
                      });
                    });
}

void Workflow::reload() {
  if (session_.picture()) open(session_.state().imagePath, session_.state().page);
}

void Workflow::takeUp(const Setup& setup, std::function<void()> done) {
  controller_.cancel(Work::Open);
  controller_.cancel(Work::Bank);
  const auto finish = [this, setup, done = std::move(done)](const PicturePtr& picture,
                                                            const std::vector<PlaneResult>& inputs) {
    session_.takeUp(setup, picture, inputs);
    if (done) done();
  };
  const QString path = setup.state.imagePath;
  const int page = setup.state.page;
  const bool stacked = isOfPages(setup.state.recipe.channel);
  const PicturePtr& present = session_.picture();
  lastAsked_ = path;
  if (path.isEmpty()) return finish(nullptr, {});
  const std::filesystem::path file = path.toStdString();
  if (present && present->path == file && present->page == page && present->stacked == stacked)
    return finish(present, {});
  controller_.start(Work::Open, tr("Opening %1").arg(QFileInfo(path).fileName()),
                    [this, setup, file, page, stacked, finish, memory = memory_,
                     wanted = inputsOnShow()](RunController::Context& context) {
                      // The step may be of a choice that was refused, over the picture of before.
                      const auto opened = [&] {
                        try {
                          return openPicture(file, page, stacked, memory);
                        } catch (const Error&) {
                          if (!stacked) throw;
                          return openPicture(file, page, false, memory);
                        }
                      };
                      const PicturePtr picture = opened();
                      RunSettings with;
                      with.bank = setup.bank;
                      with.then = setup.then;
                      with.stepBanks = setup.stepBanks;
                      with.recipe = setup.state.recipe;
                      const auto inputs = inputsOf(picture, with, wanted, context.stop);
                      context.deliver([finish, picture, inputs] { finish(picture, inputs); });
                    });
}

void Workflow::openTogether(const QStringList& paths) {
  if (paths.isEmpty()) return;
  if (paths.size() == 1) return open(paths.front());
  lastAsked_ = paths.front();
  const auto opened = [this, paths, stacked = isOfPages(session_.recipe().channel), memory = memory_,
                       with = session_.settingsWith(paths.front()),
                       wanted = inputsOnShow()](RunController::Context& context) {
    std::vector<PicturePtr> pictures;
    QString refusal;
    qsizetype seen = 0;
    for (const QString& path : paths) {
      if (context.stop.stop_requested()) throw Cancelled();
      if (pictures.size() == mostPanes) break;
      ++seen;
      try {
        pictures.push_back(openPicture(path.toStdString(), 0, stacked, memory));
      } catch (const Error& error) {
        refusal = sentenceOf(error);
      }
    }
    std::vector<std::vector<PlaneResult>> inputs;
    for (const PicturePtr& picture : pictures)
      inputs.push_back(
          inputsOf(picture, with, picture == pictures.front() ? wanted : inputAlone, context.stop));
    context.deliver([this, paths, pictures, refusal, with, inputs, rest = paths.size() - seen] {
      if (!pictures.empty()) {
        session_.setMode(CanvasMode::Grid);
        if (pictures.size() > 1) session_.setPanes({{Layer::Input}});
        const bool same = sameInput(with, session_.settingsWith(paths.front()));
        session_.setPicture(pictures.front(), same ? inputs.front() : std::vector<PlaneResult>());
        session_.addPictures(
            {pictures.begin() + 1, pictures.end()},
            same ? std::vector(inputs.begin() + 1, inputs.end()) : std::vector<std::vector<PlaneResult>>());
      }
      if (rest > 0)
        Q_EMIT notice(tr("The window shows %1 pictures at once; not opened: %2.").arg(mostPanes).arg(rest));
      if (!refusal.isEmpty()) Q_EMIT problem(refusal, Work::Open);
    });
  };
  controller_.start(Work::Open, tr("Opening %1 pictures").arg(paths.size()), opened);
}

}  // namespace bankside::window
