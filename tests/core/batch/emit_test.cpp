/// Names that a script's language would read as its own.
#include "core/batch/emit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bankside {
namespace {

TEST(Emit, QuotesInNamesStayInThem) {
  for (const BatchEngine engine :
       {BatchEngine::Kubernetes, BatchEngine::Snakemake, BatchEngine::Dask, BatchEngine::Ray}) {
    const std::string script =
        emitScript({.engine = engine, .program = "bankside", .manifest = R"(/data/a"b\c.jsonl)"});
    EXPECT_THAT(script, ::testing::HasSubstr(R"("/data/a\"b\\c.jsonl")")) << toString(engine);
  }
}

}  // namespace
}  // namespace bankside
