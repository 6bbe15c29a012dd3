/// From changes of the session to work, and from results back into the session.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>

#include "core/bench/comparison.h"
#include "core/bench/machine_limits.h"
#include "gui/window/compute/run_controller.h"
#include "gui/window/session/session.h"

namespace bankside::window {

/// A finished measurement, and what it was taken of.
struct Measurement {
  BenchReport report;
  Recipe recipe;
  QString input;
  double decodeSeconds = 0;
  std::vector<MachineLimits> limits;    ///< one a thread count; empty if nobody measures them
  std::optional<MachineLimits> device;  ///< of the accelerator that engines ran on, if somebody measures it
  double operations = 0;                ///< multiply-adds of taps that are not zero, two operations each
  double leastBytes = 0;                ///< every pixel read once, every result written once

  /// The measured rates of what the engine ran on, with its threads; null if they are unknown.
  const MachineLimits* limitsOf(const BenchRow& run) const;
  /// Seconds that the engine cannot beat, computed from those rates; 0 if they are unknown. Direct sums must
  /// also do the operations; transforms and separated filters do fewer, and tensor cores do them elsewhere,
  /// so that only the bytes bound them.
  double floorSeconds(const BenchRow& run) const;
  /// What the floor is held against: end to end or, on an accelerator, computing alone.
  double heldSeconds(const BenchRow& run) const;
};

/// Measures what the machine can do (kernels/highway/limits.h has the real one).
using MeasureMachine = std::function<MachineLimits(int threads)>;
/// The same for the accelerator; none if there is none (kernels/cuda/tuning/device_bench.h has the real one).
using MeasureDevice = std::function<std::optional<MachineLimits>()>;

class Workflow : public QObject {
  Q_OBJECT
 public:
  /// `engines` are offered for measuring; `select` picks one for a problem. Both outlive the workflow.
  Workflow(Session& session, RunController& controller, SelectEngine select,
           std::vector<const Engine*> engines, QObject* parent = nullptr);
  /// Waits for the worker, whose work asks the workflow for engines.
  ~Workflow() override;

  /// Without it, measurements have no floor. Called on the worker's thread, once a thread count.
  void setMachine(MeasureMachine measure) { machine_ = std::move(measure); }
  /// Without it, engines on an accelerator have no floor. Called as setMachine's.
  void setDevice(MeasureDevice measure) { device_ = std::move(measure); }

  /// What pictures may take, see `openPicture`; else the machine's.
  void setMemory(std::int64_t bytes) { memory_ = bytes; }

  void open(const QString& path, int page = 0);
  /// The first one as by `open`; the others beside it, each in a pane of its own.
  void openTogether(const QStringList& paths);
  /// What was asked for last, whether it could be opened or not; empty before anything was.
  const QString& lastAsked() const { return lastAsked_; }
  /// Reads the same page again, the file having changed.
  void reload();
  /// Makes a bank from a name or file, and with it takes the settings of `recipe` if there is one. `problem`
  /// if there is no such bank; then `otherwise`, if given, is taken instead.
  void chooseBank(const QString& spec, const std::optional<Recipe>& recipe = {},
                  const QString& otherwise = {}, const std::optional<RegionSpec>& region = {});
  /// Takes a recipe with all its banks. `problem` if the window cannot show it or a bank is missing; then
  /// what was there stays or, where there was nothing, `otherwise`. `region` comes with it.
  void openRecipe(const Recipe& recipe, const QString& otherwise = {},
                  const std::optional<RegionSpec>& region = {});
  /// The pixels per degree of a photograph whose field of view spans `degrees`.
  void takeAngle(double degrees);
  /// Back to a setup; opens its picture where another is open. `done` where that could be had.
  void takeUp(const Setup& setup, std::function<void()> done = {});
  /// Computes what was stopped.
  void compute();
  /// The bank over the maps of the first; empty takes it away.
  void chooseSecondBank(const QString& spec);
  /// Verifies, then times `contenders`, each on one thread and on all. False, with a `problem`, where there
  /// is nothing that could be measured.
  bool measure(const MeasureOptions& options, std::vector<const Engine*> contenders);
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
  /// A picture that was asked for is there.
  void opened();
  /// Of the work that failed.
  void problem(const QString& sentence, bankside::window::Work work);
  void notice(const QString& sentence);
  void measured();
  void exported(const QString& folder, int files);
  /// Nothing was exported, because the file is there and holds something else.
  void wouldReplace(const QString& folder, const QString& file);

 private:
  /// Of a picture that is in memory, with the settings that it is opened with.
  std::vector<PlaneResult> inputsOf(const PicturePtr& picture, RunSettings with,
                                    const std::vector<PlaneKey>& wanted, const std::stop_token& stop) const;
  std::vector<PlaneKey> inputsOnShow() const;
  void computeMissing();
  /// What is looked at of pictures that are not in memory.
  void computeMissingParts();
  struct Run {
    RunSettings settings;
    std::vector<PlaneKey> wanted;
  };
  /// By branch: what follows the panels comes first.
  std::map<int, Run> runsOf(std::vector<PlaneKey> keys) const;
  void measureRegion();
  /// What measurements and exports are compared with; null if none is available.
  const Engine* baseline() const;
  /// Of the whole bank on the picture, by size, as an export would have them.
  std::vector<std::pair<ConvolutionProblem, FilterBank>> problems() const;

  Session& session_;
  RunController& controller_;
  SelectEngine select_;
  std::vector<const Engine*> engines_;
  QString lastAsked_;
  std::shared_ptr<const Measurement> measurement_;
  std::optional<ImageRun> exported_;
  MeasureMachine machine_;
  MeasureDevice device_;
  std::vector<MachineLimits> limits_;  // measured once a start
  std::optional<MachineLimits> deviceLimits_;
  QTimer soon_;  // several changes of one event become one request
  QTimer soonRegion_;
  QTimer soonParts_;
  std::int64_t memory_ = machineMemory();
  RunController nearby_;  // parts do not wait for the pass over the whole picture
};

}  // namespace bankside::window
