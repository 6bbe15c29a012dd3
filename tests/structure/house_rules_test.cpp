/// The rules catch what they are for: a rule that nothing can break is no rule.
#include "tests/structure/house_rules.h"

#include <gtest/gtest.h>

namespace bankside {
namespace {

TEST(HouseRules, LayersSeeDownwardsOnly) {
  EXPECT_NE(layeringOffence("core/image.cpp", "filters/catalog.h"), "");
  EXPECT_NE(layeringOffence("core/image.h", "kernels/engines.h"), "");
  EXPECT_NE(layeringOffence("filters/edge/sobel.cpp", "kernels/engines.h"), "");
  EXPECT_NE(layeringOffence("kernels/engines.cpp", "filters/catalog.h"), "");
  EXPECT_NE(layeringOffence("kernels/engines.cpp", "gui/headless/main.h"), "");
  EXPECT_NE(layeringOffence("core/judge/conformance.cpp", "tests/support/made_images.h"), "");
  EXPECT_EQ(layeringOffence("filters/edge/sobel.cpp", "core/image.h"), "");
  EXPECT_EQ(layeringOffence("gui/headless/filter_command.cpp", "kernels/engines.h"), "");
  EXPECT_EQ(layeringOffence("tests/kernels/a_test.cpp", "filters/catalog.h"), "");
  EXPECT_NE(layeringOffence("library/view.cpp", "gui/headless/exit_code.h"), "");
  EXPECT_NE(layeringOffence("gui/headless/main.cpp", "library/view.h"), "");
  EXPECT_NE(layeringOffence("kernels/engines.cpp", "library/view.h"), "");
  EXPECT_EQ(layeringOffence("library/prepared_plan.cpp", "kernels/engine_list.h"), "");
  EXPECT_NE(layeringOffence("python/module.cpp", "core/engine.h"), "");
  EXPECT_NE(layeringOffence("python/module.cpp", "library/view.h"), "");
  EXPECT_EQ(layeringOffence("python/module.cpp", "bankside/bankside.hpp"), "");
}

TEST(HouseRules, ForeignHeadersStayInTheirRooms) {
  EXPECT_NE(layeringOffence("core/image.h", "cuda_runtime.h"), "");
  EXPECT_NE(layeringOffence("gui/headless/devices.cpp", "cuda.h"), "");
  EXPECT_NE(layeringOffence("kernels/engines.cpp", "cuda_runtime_api.h"), "");
  EXPECT_EQ(layeringOffence("kernels/cuda/runtime/stream.h", "cuda_runtime.h"), "");
  EXPECT_NE(layeringOffence("core/run/runner.cpp", "QString"), "");
  EXPECT_NE(layeringOffence("gui/headless/main.cpp", "QtCore/QString"), "");
  EXPECT_EQ(layeringOffence("gui/window/main.cpp", "QApplication"), "");
  EXPECT_NE(layeringOffence("kernels/opencv/opencv_engine.h", "opencv2/core.hpp"), "");
  EXPECT_EQ(layeringOffence("kernels/opencv/opencv_engine.cpp", "opencv2/core.hpp"), "");
  EXPECT_NE(layeringOffence("core/combine.cpp", "hwy/highway.h"), "");
  EXPECT_NE(layeringOffence("core/imageio/image_io.h", "png.h"), "");
  EXPECT_NE(layeringOffence("filters/importers.cpp", "tiffio.h"), "");
  EXPECT_NE(layeringOffence("core/run/channel.cpp", "png.h"), "");
  EXPECT_EQ(layeringOffence("core/imageio/image_png.cpp", "png.h"), "");
  EXPECT_EQ(layeringOffence("core/image.h", "vector"), "");
}

TEST(HouseRules, RoomsSeeThoseBelow) {
  EXPECT_NE(layeringOffence("core/image.h", "core/run/runner.h"), "");
  EXPECT_NE(layeringOffence("core/judge/exact.cpp", "core/imageio/image_io.h"), "");
  EXPECT_EQ(layeringOffence("core/bench/measure.h", "core/error.h"), "");
  EXPECT_NE(layeringOffence("kernels/cuda/tensor/tensor_bank.h", "kernels/cuda/multichannel/fma/a.h"), "");
  EXPECT_NE(layeringOffence("gui/window/compute/work.h", "gui/window/session/session.h"), "");
  EXPECT_EQ(layeringOffence("gui/window/panels/a.cpp", "gui/window/canvas/canvas.h"), "");
  EXPECT_EQ(layeringOffence("gui/headless/main.cpp", "core/run/runner.h"), "") << "of another layer";
}

TEST(HouseRules, OnlyKernelsNameEngines) {
  const std::string text = "find(\"cpu:direct\");\n";
  EXPECT_EQ(engineNameOffences("gui/window/main.cpp", text).size(), 1u);
  EXPECT_EQ(engineNameOffences("core/bench/bench.h", "/// \"verifying cudnn:fma\"\n").size(), 1u);
  EXPECT_EQ(engineNameOffences("gui/headless/a.cpp", "\"--engines cuda,opencv:filter2D\"").size(), 1u);
  EXPECT_TRUE(engineNameOffences("kernels/engines.cpp", text).empty());
  EXPECT_TRUE(engineNameOffences("tests/core/bench/bench_test.cpp", text).empty());
  EXPECT_TRUE(engineNameOffences("gui/headless/a.cpp", "find(\"cpu\"); cuda::start(\"cuda: \");").empty());
}

TEST(HouseRules, CyclesAreFoundWhole) {
  EXPECT_TRUE(cycles({{"a", {"b", "c"}}, {"b", {"c"}}}).empty());
  EXPECT_EQ(cycles({{"a", {"b"}}, {"b", {"c"}}, {"c", {"a", "d"}}, {"e", {"e"}}}),
            (std::vector<std::string>{"a, b, c", "e"}));
  EXPECT_EQ(unitOf("core/run/runner.cpp"), unitOf("core/run/runner.h"));
  EXPECT_EQ(unitOf("kernels/cuda/tuning/shipped_tuning.h.in"), "kernels/cuda/tuning/shipped_tuning");
  EXPECT_EQ(roomOf("core/run/runner.cpp"), "core/run");
}

TEST(HouseRules, NamesAreSnakeCaseAndSaySomething) {
  for (const char* path : {"core/Image.h", "core/image-io.cpp", "core/string_utils.h",
                           "kernels/common/tile.h", "core/image_helper.cpp", "kernels/cuda/fast_kernel.cuh",
                           "core/runner_v2.cpp", "gui/window/session_manager.h"}) {
    EXPECT_NE(nameOffence(path), "") << path;
  }
  for (const char* path :
       {"core/image.h", "kernels/opencv/filter2d_path.cpp", "kernels/highway/block_kernel-inl.h",
        "kernels/cuda/single_channel.cuh", "core/breakfast.cpp", "core/renewal.h"}) {
    EXPECT_EQ(nameOffence(path), "") << path;
  }
}

TEST(HouseRules, TextIsTidy) {
  EXPECT_TRUE(textOffences("core/a.cpp", "int a;\n").empty());
  EXPECT_TRUE(textOffences("core/a.h", "#pragma once\n").empty());
  EXPECT_EQ(textOffences("core/a.h", "int a;\n").size(), 1u);
  EXPECT_EQ(textOffences("core/a.cpp", "int a; \n").size(), 1u);
  EXPECT_EQ(textOffences("core/a.cpp", "int\ta;\n").size(), 1u);
  EXPECT_EQ(textOffences("core/a.cpp", "int a;\r\n").size(), 1u);
  EXPECT_EQ(textOffences("core/a.cpp", "int a;").size(), 1u);
  std::string lines;
  for (int i = 0; i < 400; ++i) lines += "\n";
  EXPECT_TRUE(textOffences("core/a.cpp", lines).empty());
  EXPECT_EQ(textOffences("core/a.cpp", lines + "\n").size(), 1u);
}

TEST(HouseRules, FindsWordsThatNoTranslatorSees) {
  const std::string panel = "gui/window/panels/a.cpp";
  for (const char* text :
       {"label->setText(\"Open a file\");", "auto* box = new QCheckBox(QStringLiteral(\"Show %1\"), this);",
        "form->addRow(\n      \"Threads\", box);"}) {
    EXPECT_EQ(untranslatedOffences(panel, text).size(), 1u) << text;
    EXPECT_TRUE(untranslatedOffences("core/a.cpp", text).empty());
  }
  for (const char* text :
       {"label->setText(tr(\"Open a file\"));", "label->setText(QStringLiteral(\"%1 × %2\").arg(a));",
        "setWindowTitle(QStringLiteral(\"%1 – Bankside\").arg(a));", "box->addItem(\"auto\");",
        "box->setObjectName(QStringLiteral(\"box\"));"}) {
    EXPECT_TRUE(untranslatedOffences(panel, text).empty()) << text;
  }
}

TEST(HouseRules, FindsSentencesOfCoreThatGoAroundTheGate) {
  const std::string panel = "gui/window/panels/a.cpp";
  for (const char* text : {"say(QString::fromUtf8(error.what()));", "tip(QString::fromStdString(row.error));",
                           "tip(QString::fromStdString(ok ? name : support.reason));"}) {
    EXPECT_EQ(coreSentenceOffences(panel, text).size(), 1u) << text;
    EXPECT_TRUE(coreSentenceOffences("gui/headless/a.cpp", text).empty());
    EXPECT_TRUE(coreSentenceOffences("gui/window/compute/core_sentence.cpp", text).empty());
  }
  for (const char* text : {"say(sentenceOf(error));", "row.error = error.what();",
                           "auto name = QString::fromStdString(row.image); if (row.error.empty()) return;"})
    EXPECT_TRUE(coreSentenceOffences(panel, text).empty()) << text;
}

TEST(HouseRules, FindsFoldersReadByIterators) {
  const std::string text =
      "for (const auto& e : std::filesystem::recursive_directory_iterator(folder)) use(e);";
  EXPECT_EQ(folderOffences("gui/headless/a.cpp", text).size(), 1u);
  EXPECT_TRUE(folderOffences("tests/core/a.cpp", text).empty());
  EXPECT_TRUE(
      folderOffences("core/a.cpp", "for (const fs::path& entry : entriesOf(folder, failure)) use(entry);")
          .empty());
}

TEST(HouseRules, ReadsIncludes) {
  EXPECT_EQ(includesOf("#include <vector>\n#  include \"core/a.h\"\n// #include <no>\n"),
            (std::vector<std::string>{"vector", "core/a.h"}));
}

}  // namespace
}  // namespace bankside
