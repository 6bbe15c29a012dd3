// The entries of the public header about the library itself and contexts.
#include "library/handles.h"
#include "library/sized.h"

using namespace bankside::library;

const char* bk_version(void) noexcept { return BANKSIDE_VERSION; }

const char* bk_last_error(void) noexcept { return lastError(); }

bk_status bk_context_create(const bk_context_options* options, bk_context** context) noexcept {
  return guarded([&] {
    require(context, "the place for the context") = nullptr;
    bk_context_options read = {};
    if (options != nullptr) read = readSized(*options, "bk_context_options");
    if (read.threads < 0)
      refuse("bk_context_options.threads is " + std::to_string(read.threads) + ", expected 0 or more");
    *context = new bk_context{read};
  });
}

void bk_context_free(bk_context* context) noexcept { delete context; }
