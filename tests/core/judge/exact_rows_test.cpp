/// Exact rows that judges share: the verdicts are those of a judge that looks at one pixel after another and
/// keeps nothing.
#include "core/judge/exact_rows.h"
#include "core/judge/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/bench/comparison.h"
#include "core/judge/expectation.h"
#include "core/judge/looking.h"
#include "core/sample_rows.h"
#include "kernels/engines.h"
#include "tests/support/made_images.h"
#include "tests/support/off_engine.h"

namespace bankside {
namespace {

/// The rule of core/judge/compare.h, written out for one thread.
Verification plainVerdict(const ConvolutionProblem& p, const FilterBank& bank, const Image& image,
                          const std::vector<Image>& outputs, const ErrorBound& bound,
                          const std::vector<int>& rows) {
  ImageSource source(image);
  const CorrelationTaps taps = correlationTaps(p, bank);
  const double largest = bound.pixelwise ? 0 : largestMagnitude(p, bank, source);
  const int block = bound.pixelwise ? bound.rowsTogether : 1;
  const auto filters = static_cast<std::size_t>(p.filterCount);
  Verification v;
  const auto look = [&](const SourceBand& in, const Region&, const ThreadTeam&) {
    for (const int y : rows) {
      std::vector<ExactRow> exact(filters);
      std::vector<std::vector<double>> least(filters, std::vector<double>(image.width(), largest));
      for (std::size_t f = 0; f < filters; ++f) {
        const int top = y / block * block;
        for (int row = top; row < std::min(top + block, p.height); ++row) {
          exactResponse(p, taps, in, 0, static_cast<int>(f), row, 0, p.width, exact[f]);
          for (std::size_t x = 0; x < least[f].size(); ++x) {
            const double magnitude = exact[f].magnitude[x];
            if (block > 1 && std::isfinite(magnitude)) least[f][x] = std::max(least[f][x], magnitude);
          }
        }
        exactResponse(p, taps, in, 0, static_cast<int>(f), y, 0, p.width, exact[f]);
      }
      const std::size_t results = p.combine == Combine::None ? filters : 1;
      for (std::size_t plane = 0; plane < results; ++plane) {
        for (int x = 0; x < p.width; ++x) {
          const auto i = static_cast<std::size_t>(x);
          std::vector<Candidate> r;
          bool finite = true;
          bool touched = false;
          for (std::size_t f = 0; f < filters; ++f) {
            if (p.combine == Combine::None && f != plane) continue;
            const double magnitude = exact[f].magnitude[i];
            r.push_back(
                {exact[f].value[i], magnitude,
                 bound.factor * std::max(least[f][i], magnitude) + smallSums(p, taps, static_cast<int>(f))});
            finite = finite && std::isfinite(r.back().value);
            touched = touched || exact[f].isTouched(i);
          }
          const double got = elementAt(outputs[plane].plane(0), x, y);
          Expectation e{std::numeric_limits<double>::quiet_NaN(), 0, !std::isfinite(got)};
          if (finite) {
            const double index = p.combine == Combine::ArgMax ? elementAt(outputs[1].plane(0), x, y) : 0;
            e = expectResult(p.combine, outputs[plane].type(), r, got, index);
            e.right = e.right || ((touched || mayOverflow(p.combine, e)) && !std::isfinite(got));
          }
          recordPixel(v, static_cast<int>(plane), x, y, got, e, finite);
        }
      }
    }
  };
  lookAt(p, bank, source, wholeImage(p), block, 1, look, {});
  return v;
}

void expectSame(const Verification& a, const Verification& b, const std::string& where) {
  EXPECT_EQ(a.passed, b.passed) << where;
  EXPECT_EQ(a.checked, b.checked) << where;
  EXPECT_EQ(a.failed, b.failed) << where;
  EXPECT_EQ(a.maxAbsError, b.maxAbsError) << where;
  EXPECT_EQ(a.maxBoundRatio, b.maxBoundRatio) << where;
  EXPECT_EQ(a.place(), b.place()) << where;
}

TEST(ExactRows, VerdictsAreThoseOfAPlainJudge) {
  const std::vector<std::pair<std::string, ErrorBound>> bounds = {
      {"pixelwise", {gammaBound(25), true}},
      {"blocks of 4", {9 * gammaBound(25), true, 4}},
      {"not pixelwise", {gammaBound(40), false}},
      {"too strict", {0x1p-60, true}}};
  for (const bool finite : {true, false}) {
    for (const Combine combine : allCombines) {
      const Image image = finite ? testing::randomImage(1, 27, 43, ElementType::F32)
                                 : nonFiniteImage(1, 27, 43, ElementType::F32);
      FilterBank bank = testing::randomBank(3, 1, 5, 5);
      std::vector<Filter> filters = bank.filters();
      filters[1].taps[7] = filters[2].taps[20] = 0;
      bank = FilterBank({}, std::move(filters));
      const ConvolutionProblem p =
          makeProblem(bank, 1, 27, 43, ElementType::F32, ElementType::F32, {}, combine);
      const std::vector<int> rows = sampleRows(27, 11, 5);
      std::vector<Image> right = runWhole(*findEngine("cpu:direct"), p, bank, image);
      std::vector<Image> wrong;
      for (const Image& plane : right) wrong.push_back(plane.clone());
      wrong[0].view<float>(0).at(17, rows[4]) += 1e-3f;
      wrong[0].view<float>(0).at(30, rows[8]) = std::nanf("");
      for (const auto& [name, bound] : bounds) {
        // One set of rows for all: the first judge makes them, the others find them, or some of them.
        ExactRows large(ExactRows::enough);
        ExactRows small(20000);
        for (const std::vector<Image>* outputs : {&right, &wrong, &right}) {
          const Verification expected = plainVerdict(p, bank, image, *outputs, bound, rows);
          const std::string where = format(p) + ", " + name + (finite ? "" : ", not finite");
          if (outputs == &wrong && finite) {
            EXPECT_GE(expected.failed, 2) << where;
          }
          ImageSource source(image);
          for (ExactRows* kept : {static_cast<ExactRows*>(nullptr), &small, &large}) {
            for (const int threads : {1, 3}) {
              expectSame(verifyRows(p, bank, source, wholeImage(p), *outputs, bound, rows, threads, {}, kept),
                         expected, where);
            }
          }
        }
      }
    }
  }
}

TEST(ExactRows, KeepsWhatFitsAndNoMore) {
  const Image image = testing::randomImage(1, 8, 100, ElementType::U8);
  const FilterBank bank = testing::randomBank(2, 1, 3, 3);
  const ConvolutionProblem p =
      makeProblem(bank, 1, 8, 100, ElementType::U8, ElementType::F32, {}, Combine::None);
  ImageSource source(image);
  const std::int64_t rowBytes = 2 * 104 * 8;  // and what holds them
  ExactRows none(0);
  ExactRows two(5 * rowBytes / 2);
  const auto look = [&](const SourceBand& in, const Region&, const ThreadTeam&) {
    const auto kept = [&](ExactRows& rows, int filter, int y) {
      ExactRow own;
      const ExactRow& row = rows.of(p, bank, 0, 100).row(in, 0, filter, y, own);
      ExactRow again;
      EXPECT_EQ(rows.of(p, bank, 0, 100).row(in, 0, filter, y, again).value, row.value);
      return &row != &own;
    };
    EXPECT_FALSE(kept(none, 0, 3));
    EXPECT_TRUE(kept(two, 0, 3));
    EXPECT_TRUE(kept(two, 1, 3));
    EXPECT_FALSE(kept(two, 0, 4)) << "it is full";
    EXPECT_TRUE(kept(two, 0, 3));
    ExactRow own;
    EXPECT_EQ(two.of(p, bank, 1, 50).row(in, 0, 0, 3, own).value.size(), 50u) << "other columns";
  };
  lookAt(p, bank, source, wholeImage(p), 1, 1, look, {});
}

TEST(ExactRows, AWrongEngineIsCaughtAmongRightOnesAndNotTimed) {
  const Image image = testing::randomImage(1, 60, 50, ElementType::F32);
  const FilterBank bank = testing::randomBank(4, 1, 5, 5);
  ConvolutionProblem p = makeProblem(bank, 1, 60, 50, ElementType::F32, ElementType::F32, {}, Combine::None);
  const std::vector<int> rows = sampleRows(60, 12, hash(p));
  const testing::OffEngine first(*findEngine("cpu:direct"), "wrong:first", 9, rows[0], 0.25f);
  const testing::OffEngine later(*findEngine("cpu:direct"), "wrong:later", 9, rows[7], 0.25f);
  const auto run = [&](const std::vector<const Engine*>& engines) {
    std::vector<Contender> contenders;
    for (const Engine* engine : engines) contenders.push_back({engine, 1});
    ComparisonOptions options;
    options.measure = {.minRounds = 2, .maxRounds = 2, .seconds = 0};
    options.run.verifyRows = 12;
    BenchReport report;
    ImageSource source(image);
    compareEngines(report, bank, source, contenders, options, {});
    return report.rows;
  };
  const auto together = run({&first, findEngine("cpu"), findEngine("cpu:karatsuba"), &later,
                             findEngine("cpu:direct"), findEngine("cpu:fft")});
  ASSERT_EQ(together.size(), 6u);
  for (const BenchRow& engine : together) {
    const bool wrong = engine.engine.rfind("wrong:", 0) == 0;
    EXPECT_EQ(engine.disposition, wrong ? Disposition::Incorrect : Disposition::Passed) << engine.engine;
    EXPECT_EQ(engine.timed(), !wrong);
    ASSERT_TRUE(engine.verification) << engine.engine;
    EXPECT_EQ(engine.verification->checked, 12 * 50 * 4);
    EXPECT_EQ(engine.verification->failed, wrong ? 1 : 0);
    if (wrong) {
      EXPECT_EQ(engine.verification->x, 9);
      EXPECT_EQ(engine.verification->y, engine.engine == "wrong:first" ? rows[0] : rows[7]);
      continue;
    }
    const auto alone = run({findEngine(engine.engine)});
    expectSame(*engine.verification, *alone[0].verification, engine.engine);
  }
}

}  // namespace
}  // namespace bankside
