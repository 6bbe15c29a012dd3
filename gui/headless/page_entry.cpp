#include "gui/headless/page_entry.h"

#include <algorithm>
#include <new>
#include <utility>

#include "core/error.h"

namespace bankside::headless {
namespace {

namespace fs = std::filesystem;

std::string classOf(const std::exception_ptr& error, const BankRun& run) {
  if (!run.passed) return "mismatch";
  try {
    std::rethrow_exception(error);
  } catch (const WouldReplace&) {
    return "exists";
  } catch (const Error& exception) {
    return toString(exception.code());
  } catch (const std::bad_alloc&) {
    return "memory";
  } catch (...) {
    return "internal";
  }
}

}  // namespace

bool isTransient(const std::exception_ptr& error, const BankRun& run) {
  try {
    std::rethrow_exception(error);
  } catch (const DiskFull&) {
    return true;
  } catch (const Error& exception) {
    return exception.code() == ErrorCode::Device && run.passed;
  } catch (...) {
    return false;
  }
}

void addPage(JournalEntry& entry, const Page& page, const fs::path& output, bool content) {
  const ImageRun& report = page.report;
  const fs::path folder = fs::path(page.input->stem).parent_path();
  for (const std::string& name : report.outputs) {
    BatchOutput result{.file = (folder / name).string()};
    result.bytes = static_cast<std::int64_t>(fs::file_size(output / result.file));
    if (content) result.hash = hashOfFile(output / result.file);
    entry.outputs.push_back(std::move(result));
  }
  ++entry.pages;
  for (const std::string& note : report.notes) entry.notes.push_back(note);
  for (const std::string& what : report.dropped) entry.notes.push_back("dropped: " + what);
  for (const StepReport& step : report.run.steps) {
    entry.engine = step.engine;
    for (const auto& judged : {step.reference, step.baseline}) {
      if (judged) entry.maxAbsError = std::max(entry.maxAbsError.value_or(0), judged->maxAbsError);
    }
  }
  if (report.run.operations)
    entry.maxAbsError = std::max(entry.maxAbsError.value_or(0), report.run.operations->maxAbsError);
  entry.decodeSeconds += report.decodeSeconds;
  entry.filterSeconds += report.run.times().total();
  entry.encodeSeconds += report.encodeSeconds;
  entry.clippedValues += report.clippedValues;
  entry.nonFiniteValues += report.nonFiniteValues;
  if (page.error != nullptr && entry.error.empty()) {
    entry.done = false;
    entry.error = report.error;
    entry.errorClass = classOf(page.error, report.run);
  }
}

}  // namespace bankside::headless
