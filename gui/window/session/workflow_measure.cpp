/// Engines side by side: judged, timed, and held against what the machine can do.
#include <algorithm>

#include "core/parallel.h"
#include "core/run/recipe_runner.h"
#include "gui/window/compute/value_text.h"
#include "gui/window/session/workflow.h"

namespace bankside::window {
namespace {

/// The device of engines that run on the processor.
constexpr const char* onProcessor = "CPU";

/// Engines may skip taps that are zero, so that only the others are work.
double nonZeroOperations(const std::vector<FilterBank>& banks, const Recipe& recipe, int channels,
                         double pixels) {
  double operations = 0;
  for (std::size_t i = 0; i < banks.size(); ++i) {
    double taps = 0;
    for (const Filter& filter : banks[i].filters()) {
      taps += static_cast<double>(
          std::count_if(filter.taps.begin(), filter.taps.end(), [](float tap) { return tap != 0; }));
    }
    const int groups = banks[i].channels() == channels ? 1 : channels;
    operations += 2 * taps * groups * pixels;
    channels = groups * (recipe.stages[i].combine == Combine::None ? banks[i].size() : 1);
  }
  return operations;
}

/// The image read once and every result written once; maps between two banks need not leave the caches.
double leastBytesOf(const Source& image, std::size_t results) {
  const double pixels = static_cast<double>(image.height()) * image.width();
  return pixels * (static_cast<double>(sizeOf(image.type())) * image.channels() +
                   static_cast<double>(sizeof(float)) * static_cast<double>(results));
}

}  // namespace

const MachineLimits* Measurement::limitsOf(const BenchRow& run) const {
  if (run.device != onProcessor) return device ? &*device : nullptr;
  return findLimits(limits, run.threads);
}

double Measurement::floorSeconds(const BenchRow& run) const {
  const MachineLimits* machine = limitsOf(run);
  if (machine == nullptr || machine->flops <= 0 || machine->copyBytes <= 0) return 0;
  const double moving = leastBytes / machine->copyBytes;
  return run.directSums ? std::max(operations / machine->flops, moving) : moving;
}

double Measurement::heldSeconds(const BenchRow& run) const {
  return run.time(run.device == onProcessor ? Phase::Whole : Phase::Compute).median;
}

bool Workflow::measure(const MeasureOptions& options, std::vector<const Engine*> chosen) {
  if (session_.recipe().ofMaps()) {
    Q_EMIT problem(tr("A recipe of steps is not timed as a whole; choose a bank to compare engines on it."),
                   Work::Measure);
    return false;
  }
  if (!session_.picture() || !session_.bank()) {
    Q_EMIT problem(tr("Open an image first; then there is something to measure."), Work::Measure);
    return false;
  }
  if (!session_.picture()->image) {
    Q_EMIT problem(tr("The picture does not fit into memory; “bankside compare” measures engines on it."),
                   Work::Measure);
    return false;
  }
  controller_.start(
      Work::Measure, tr("Measuring"),
      [settings = session_.runSettings(), options, chosen = std::move(chosen), machine = machine_,
       limits = limits_, device = device_, deviceLimits = deviceLimits_, baseline = baseline(),
       this](RunController::Context& context) mutable {
        ImageSource whole(*settings.picture->image);
        const ChannelSelection selection = selectChannels(whole, settings.picture->info.channelNames,
                                                          settings.recipe.channel, settings.bank->channels());
        std::vector<Contender> contenders;
        std::vector<int> threads = {1};
        if (availableThreads() > 1) threads.push_back(availableThreads());
        for (const int count : threads) {
          for (const Engine* engine : chosen) contenders.push_back({engine, count});
        }
        auto measurement = std::make_shared<Measurement>();
        for (const int count : threads) {
          if (const MachineLimits* known = findLimits(limits, count); machine && known == nullptr) {
            context.say(tr("Measuring what this machine can do with %1").arg(threadsText(count)));
            limits.push_back(machine(count));
          }
        }
        const bool elsewhere = std::any_of(contenders.begin(), contenders.end(), [](const Contender& c) {
          return c.engine->available() && c.engine->device() != onProcessor;
        });
        if (elsewhere && device && !deviceLimits) {
          context.say(tr("Measuring what the GPU can do"));
          deviceLimits = device();
        }
        measurement->limits = limits;
        measurement->device = deviceLimits;
        measurement->recipe = settings.recipe;
        measurement->input = QString::fromStdString(settings.picture->path.string());
        measurement->decodeSeconds = settings.picture->decodeSeconds;
        BenchReport& report = measurement->report;
        report.kind = ReportKind::Comparison;
        report.environment = currentEnvironment();
        report.input = settings.picture->path.string();
        report.inputNote = selection.note;
        report.bank = settings.bank->info().name;
        report.bankTitle = settings.bank->info().title;
        report.bankHash = settings.bank->contentHash();
        ComparisonOptions comparison;
        comparison.run.plan.precision = settings.recipe.precision;
        comparison.measure = options;
        if (baseline != nullptr) comparison.baseline = baseline->name();
        comparison.progress = [&](const std::string& what) { context.say(QString::fromStdString(what)); };
        compareEngines(report, makePipeline(settings.recipe, settings.banks()), *selection.source, contenders,
                       comparison, context.stop);
        const Source& source = *selection.source;
        const ResultPlanes results = resultPlanes(settings, selection.names);
        const std::size_t combined = results.planes.size() - static_cast<std::size_t>(results.responses);
        measurement->operations = nonZeroOperations(settings.banks(), settings.recipe, source.channels(),
                                                    static_cast<double>(source.height()) * source.width());
        measurement->leastBytes = leastBytesOf(source, combined > 0 ? combined : results.planes.size());
        context.deliver([this, measurement] {
          limits_ = measurement->limits;
          deviceLimits_ = measurement->device;
          measurement_ = measurement;
          Q_EMIT measured();
        });
      });
  return true;
}

}  // namespace bankside::window
