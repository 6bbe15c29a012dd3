/// Several pictures at once, side by side.
#include "core/error.h"
#include "gui/window/session/workflow.h"

namespace bankside::window {

void Workflow::openTogether(const QStringList& paths) {
  if (paths.isEmpty()) return;
  if (paths.size() == 1) return open(paths.front());
  lastAsked_ = paths.front();
  const auto opened = [this, paths, recipe = session_.recipe()](RunController::Context& context) {
    std::vector<std::pair<PicturePtr, PlaneResult>> pictures;
    QString refusal;
    for (const QString& path : paths) {
      try {
        RunSettings settings;
        settings.picture = openPicture(path.toStdString(), 0);
        settings.recipe = recipe;
        const auto take = [&](PlaneResult input) {
          pictures.emplace_back(settings.picture, std::move(input));
        };
        computePlanes(settings, {{Layer::Input, 0}}, select_, take, context.stop);
      } catch (const Error& error) {
        refusal = QString::fromUtf8(error.what());
      }
    }
    context.deliver([this, pictures, refusal] {
      if (!pictures.empty()) {
        session_.setMode(CanvasMode::Grid);
        if (pictures.size() > 1) session_.setPanes({{Layer::Input}});
        session_.setPicture(pictures.front().first);
        for (std::size_t i = 1; i < pictures.size(); ++i)
          session_.keepPicture(pictures[i].first, pictures[i].second);
      }
      if (!refusal.isEmpty()) Q_EMIT problem(refusal, Work::Open);
    });
  };
  controller_.start(Work::Open, tr("Opening %1 pictures").arg(paths.size()), opened);
}

}  // namespace bankside::window
