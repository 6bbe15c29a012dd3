/// From changes of the session to work, and from results back into the session.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>

#include "core/comparison.h"
#include "gui/window/run_controller.h"
#include "gui/window/session.h"

namespace bankside::window {

/// A finished measurement, and what it was taken of.
struct Measurement {
  ComparisonReport report;
  Recipe recipe;
  QString input;
  double decodeSeconds = 0;
};

class Workflow : public QObject {
  Q_OBJECT
 public:
  /// `engines` are offered for measuring; `select` picks one for a problem. Both outlive the workflow.
  Workflow(Session& session, RunController& controller, SelectEngine select,
           std::vector<const Engine*> engines, QObject* parent = nullptr);

  void open(const QString& path, int page = 0);
  /// Reads the same page again, the file having changed.
  void reload();
  /// Makes a bank from a name or file. False, with `problem`, if there is none.
  bool chooseBank(const QString& spec);
  /// Verifies, then times `contenders`, each on one thread and on all.
  void measure(const MeasureOptions& options, std::vector<const Engine*> contenders);
  void exportResponses(const QString& folder, bool force);
  void cancel();

  const std::vector<const Engine*>& engines() const { return engines_; }
  const SelectEngine& select() const { return select_; }
  /// Why the engine does not take the present problem; empty if it does or nothing is open.
  QString refusal(const Engine& engine) const;
  /// The engine by the name that a copied command must give: what "auto" stands for here and now.
  std::string pinnedEngine() const;
  const std::shared_ptr<const Measurement>& measurement() const { return measurement_; }
  const std::optional<ImageRun>& lastExport() const { return exported_; }

 Q_SIGNALS:
  void problem(const QString& sentence);
  void notice(const QString& sentence);
  void measured();
  void exported(const QString& folder, int files);

 private:
  void computeMissing();
  std::vector<ConvolutionProblem> problems() const;  ///< of the whole bank on the picture, by size

  Session& session_;
  RunController& controller_;
  SelectEngine select_;
  std::vector<const Engine*> engines_;
  std::shared_ptr<const Measurement> measurement_;
  std::optional<ImageRun> exported_;
  QTimer soon_;  // several changes of one event become one request
};

}  // namespace bankside::window
