// The entries of the public header about the library itself, its engines and contexts.
#include "library/handles.h"
#include "library/host_engines.h"
#include "library/lists.h"
#include "library/sized.h"

using namespace bankside;
using namespace bankside::library;

namespace {

const std::vector<std::string>& engineNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& engine : hostEngines()) list.push_back(engine->name());
    return list;
  }();
  return names;
}

}  // namespace

const char* bk_version(void) noexcept { return BANKSIDE_VERSION; }

const char* bk_last_error(void) noexcept { return lastError(); }

bk_status bk_context_create(const bk_context_options* options, bk_context** context) noexcept {
  return guarded([&] {
    require(context, "the place for the context") = nullptr;
    bk_context_options read = {};
    if (options != nullptr) read = readSized(*options, "bk_context_options");
    if (read.threads < 0)
      refuse("bk_context_options.threads is " + std::to_string(read.threads) + ", expected 0 or more");
    if ((read.allocate == nullptr) != (read.release == nullptr))
      refuse("bk_context_options.allocate and release are one allocator; one of them is NULL");
    *context = new bk_context{read};
  });
}

int32_t bk_engine_list_size(void) noexcept { return countOf(engineNames); }

const char* bk_engine_list_name(int32_t index) noexcept { return nameAt(engineNames, index); }

void bk_context_free(bk_context* context) noexcept { delete context; }
