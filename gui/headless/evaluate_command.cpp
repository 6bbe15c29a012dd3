#include <algorithm>
#include <iostream>

#include "core/log.h"
#include "core/text.h"
#include "gui/headless/commands.h"
#include "gui/headless/evaluate_steps.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/untrusted.h"

namespace bankside::headless {

int runEvaluate(const EvaluateCommand& command, const std::string& commandText, std::stop_token stop) {
  const std::unique_ptr<Sandbox> sandbox = sandboxIf(command.run.untrusted, command.run.memory);
  const StudyOutcome outcome = evaluateStudy(command, stop);
  if (outcome.code == exitEmptyInput) {
    log(LogLevel::Error,
        "no image files in " + joinWords(command.responses.empty() ? command.run.inputs : command.responses));
    return outcome.code;
  }
  const auto& images = outcome.report.images;
  const bool any = !outcome.images.empty();
  if (outcome.code != exitOk) {
    const auto failed = std::count_if(images.begin(), images.end(), [](const EvaluationReport::Image& image) {
      return !image.error.empty();
    });
    log(LogLevel::Error, std::to_string(failed) + " of " + std::to_string(images.size()) + " images failed" +
                             (any ? "" : "; nothing is left to evaluate"));
  }
  if (any) std::cout << toText(outcome.report);
  writeStudy(command, outcome, commandText, stop);
  return outcome.code;
}

}  // namespace bankside::headless
