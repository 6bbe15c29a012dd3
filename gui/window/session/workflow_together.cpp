/// Several pictures at once, side by side.
#include "core/engine.h"
#include "core/error.h"
#include "gui/window/compute/core_sentence.h"
#include "gui/window/session/workflow.h"

namespace bankside::window {

void Workflow::openTogether(const QStringList& paths) {
  if (paths.isEmpty()) return;
  if (paths.size() == 1) return open(paths.front());
  lastAsked_ = paths.front();
  const auto opened = [this, paths, stacked = isOfPages(session_.recipe().channel),
                       memory = memory_](RunController::Context& context) {
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
    context.deliver([this, pictures, refusal, rest = paths.size() - seen] {
      if (!pictures.empty()) {
        session_.setMode(CanvasMode::Grid);
        if (pictures.size() > 1) session_.setPanes({{Layer::Input}});
        session_.setPicture(pictures.front());
        session_.addPictures({pictures.begin() + 1, pictures.end()});
      }
      if (rest > 0)
        Q_EMIT notice(tr("The window shows %1 pictures at once; not opened: %2.").arg(mostPanes).arg(rest));
      if (!refusal.isEmpty()) Q_EMIT problem(refusal, Work::Open);
    });
  };
  controller_.start(Work::Open, tr("Opening %1 pictures").arg(paths.size()), opened);
}

}  // namespace bankside::window
