#include "gui/headless/page_writer.h"

#include <iostream>

#include "core/engine.h"
#include "core/error.h"
#include "core/log.h"
#include "core/printable.h"
#include "core/stopwatch.h"
#include "core/text.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/page_entry.h"

namespace bankside::headless {
namespace {

/// "A, then B": the engines of the stages.
std::string engineNames(const BankRun& run) {
  if (run.steps.empty()) return "no bank";
  std::string last = run.steps.front().engine;
  std::string names = last;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const bool endsStage = i + 1 == run.steps.size() || run.steps[i + 1].stage != run.steps[i].stage;
    if (!endsStage || run.steps[i].engine == last) continue;
    last = run.steps[i].engine;
    names += ", then " + last;
  }
  return names;
}

std::string summary(const ImageRun& image) {
  std::string text = image.input + (image.page > 1 ? " page " + std::to_string(image.page) : "") + ": " +
                     std::to_string(image.outputs.size()) + (image.outputs.size() == 1 ? " file" : " files");
  const PhaseTimes times = image.run.times();
  text += ", decode " + formatFixed(image.decodeSeconds * 1e3, 1) + " ms, filter " +
          formatFixed(times.total() * 1e3, 1) + " ms (" + engineNames(image.run) + "), encode " +
          formatFixed(image.encodeSeconds * 1e3, 1) + " ms";
  for (const StepReport& step : image.run.steps) {
    if (step.reference)
      text += ", verified, max error " + formatNumber(static_cast<float>(step.reference->maxAbsError));
    if (step.baseline) {
      text += ", OpenCV (" + step.baselineReason + ") differs by at most " +
              formatNumber(static_cast<float>(step.baseline->maxAbsError));
    } else if (!step.baselineReason.empty()) {
      text += ", OpenCV not compared: " + step.baselineReason;
    }
  }
  if (image.run.operations)
    text += ", operations verified, max error " +
            formatNumber(static_cast<float>(image.run.operations->maxAbsError));
  if (image.clippedValues > 0) text += ", " + std::to_string(image.clippedValues) + " values clipped";
  if (image.nonFiniteValues > 0) text += ", " + std::to_string(image.nonFiniteValues) + " values not finite";
  return text;
}

template <class Exception>
bool is(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Exception&) {
    return true;
  } catch (...) {
    return false;
  }
}

void requireRight(const BankRun& run) {
  if (run.operations && !run.operations->passed)
    throw Error(ErrorCode::Device, "an operation of the recipe is wrong at " + run.operations->place());
  for (const StepReport& step : run.steps) {
    if (!step.reference || step.reference->passed) continue;
    std::string sentence = "engine " + step.engine + " is wrong at " + step.reference->place();
    if (step.stage > 1) sentence += " of the " + ordinal(static_cast<std::size_t>(step.stage)) + " stage";
    sentence += "; repeat with:";
    for (const StepReport& each : run.steps) {
      if (&each != &step && each.stage >= step.stage) continue;
      sentence += " bankside verify --engine " + each.engine + " --problem " + format(each.problem) +
                  (&each == &step ? "" : " and");
    }
    throw Error(ErrorCode::Device, sentence);
  }
}

}  // namespace

PageWriter::PageWriter(const FilterCommand& command, int files, FilterReport& report,
                       const std::stop_token& stop)
    : command_(command), report_(report), check_(checkOf(stop)), progress_(command.progress, files) {}

Tally PageWriter::tally() {
  tally_.diskFull = diskFull_;
  tally_.lostDevice = lostDevice_;
  return tally_;
}

void PageWriter::announce(Page& page) {
  {
    const std::lock_guard lock(console_);
    progress_.show(filesDone_, page.path());
  }
  if (page.files != nullptr) page.files->heed(check_);
  if (!page.alone) return;
  page.item.receive = [&page](int firstRow, const std::vector<Image>& band) {
    const auto start = Clock::now();
    page.files->write(firstRow, band);
    page.report.encodeSeconds += secondsSince(start);
  };
}

/// What goes wrong is told later, in its turn. What goes wrong for every other page too is told of one.
void PageWriter::store(Page& page) {
  page.dropped = diskFull_;
  if (page.dropped) return;
  if (page.error == nullptr) write(page);
  if (page.error == nullptr || !isTransient(page.error, page.report.run)) return;
  // A page that was written in bands may have filled the disk before.
  if (is<DiskFull>(page.error))
    diskFull_ = true;
  else
    page.dropped = lostDevice_.exchange(true);
}

void PageWriter::write(Page& page) {
  try {
    requireRight(page.report.run);
    const auto start = Clock::now();
    if (!page.item.planes.empty()) page.files->write(0, page.item.planes);
    page.files->finish();
    page.report.encodeSeconds += secondsSince(start);
  } catch (const std::exception&) {
    page.error = std::current_exception();
  }
}

/// A page that cannot even be told is missing in the tally, which the run looks at in the end.
void PageWriter::tell(Page& page) {
  const std::lock_guard lock(console_);
  if (page.dropped) {
    ++tally_.dropped;
    return;
  }
  try {
    if (!command_.told) {
      if (!page.report.notes.empty()) progress_.clear();
      for (const std::string& note : page.report.notes) log(LogLevel::Info, page.path() + ": " + note);
    }
    if (page.error == nullptr) {
      keep(page);
    } else if (is<Cancelled>(page.error)) {
      tally_.interrupted = true;
      ++tally_.dropped;
    } else {
      fail(page);
    }
    filesDone_ = page.file + 1;
  } catch (const std::exception&) {
    if (!untold_) untold_ = std::current_exception();
  }
}

void PageWriter::keep(Page& page) {
  page.report.ok = true;
  if (command_.told) {
    command_.told(page);
  } else {
    const std::string text = printable(summary(page.report));
    progress_.clear();
    std::cout << text << "\n";
  }
  report_.images.push_back(std::move(page.report));
  ++tally_.done;
}

void PageWriter::fail(Page& page) {
  std::string sentence = sentenceOf(page.error);
  if (sentence.rfind(page.path(), 0) != 0 && sentence.rfind(command_.output, 0) != 0)
    sentence = page.path() + ": " + sentence;
  page.report.input = page.path();
  page.report.outputs.clear();
  page.report.error = sentence;
  tally_.wanted = tally_.wanted || isWant(page.error);
  tally_.mismatch = tally_.mismatch || !page.report.run.passed;
  if (command_.told) command_.told(page);
  report_.images.push_back(std::move(page.report));
  progress_.clear();
  log(LogLevel::Error, sentence);
  ++tally_.failed;
}

}  // namespace bankside::headless
