#include "gui/headless/evaluate_options.h"

#include <CLI/CLI.hpp>

#include "gui/headless/bank_options.h"
#include "gui/headless/resource_options.h"
#include "gui/headless/untrusted.h"

namespace bankside::headless {
namespace {

void addFiles(CLI::App& app, const std::string& name, std::vector<std::string>& files,
              const std::string& help) {
  app.add_option(name, files, help)->type_name("DIR|FILE");
}

}  // namespace

void addEvaluate(CLI::App& root, EvaluateCommand& command) {
  CLI::App* app = root.add_subcommand("evaluate", "Judge responses by what experts marked in the images");
  FilterCommand& run = command.run;
  addFiles(*app, "--images", run.inputs, "Images to filter: folders, files, or patterns in quotes");
  addFiles(*app, "--responses", command.responses,
           "Instead of images and a bank: ready-made maps, such as bankside filter writes");
  addFiles(*app, "--truth", command.truth,
           "Masks of the images, found by their names: not zero is vessel; a pattern in quotes chooses "
           "among several ('truth/*_1stHO.png')");
  addFiles(*app, "--fov", command.fieldOfView,
           "Masks of the fields of view: not zero is inside (default: the whole image)");
  addFiles(*app, "--observer2", command.observer, "Masks of a second observer, judged beside the responses");
  addBankOptions(*app, run.recipe);
  app->add_option("--engine", run.recipe.engine, "auto (default) or an engine's name (see: bankside devices)")
      ->type_name("NAME");
  addPrecision(*app, run.recipe.precision);
  app->add_option("--recipe",
                  "Take bank, channel and the like from a recipe; options given beside it override it. What "
                  "it says of verification and output does not count")
      ->type_name("NAME|FILE");
  addScale(*app, run.pixelsPerDegree, run.scaleTable);
  addField(*app, run.field);
  addThreshold(*app, run.recipe,
               "Also judge this threshold: what is as high or higher is vessel (default: the recipe's)");
  app->add_option("--threshold-from", command.thresholdFrom,
                  "Also judge the best threshold of another set: a JSON report of bankside evaluate")
      ->type_name("FILE");
  app->add_option("--json", command.json, "Write every figure, image by image, as JSON")->type_name("FILE");
  app->add_option("--csv", command.csv, "Write one line a point and image")->type_name("FILE");
  app->add_option("--markdown", command.markdown, "Write the tables as Markdown")->type_name("FILE");
  app->add_option("--plot", command.plot, "Draw ROC and precision over recall as SVG")->type_name("FILE");
  app->add_option("--overlays", command.overlays,
                  "Folder for a PNG an image: vessels found white, missed orange, false ones blue")
      ->type_name("DIR");
  addThreads(*app, run.threads);
  addDevices(*app, run.devices);
  addMemory(*app, run.memory, run.memorySaid,
            "Memory to use at most, about (default 1G); all images are held, at 16 bytes a pixel");
  addMaxPixels(*app, run.maxPixels);
  addUntrusted(*app, run.untrusted);
  app->add_flag("--force,-f", run.force,
                "Replace existing overlays that differ, and whatever is where reports go");
  app->add_flag("!--no-progress", run.progress, "No progress, on the terminal or in the log");
  app->footer(
      "A mask belongs to the image whose name, without its ending, its own name begins with:\n"
      "eye1.jpg, eye1.png, eye1_truth.png. Higher responses are vessel. The field of view alone counts.\n"
      "Points: best-mcc (one threshold for all images), otsu (each image's own), threshold, carried,\n"
      "observer2. Overlays are drawn at --threshold-from, else at --threshold, else at\n"
      "the recipe's threshold, else at best-mcc.\n"
      "Examples:\n"
      "  bankside evaluate --images scans --truth 'truth/*_1stHO.png' --fov fov --recipe vessels \\\n"
      "    --scale 31 --observer2 'truth/*_2ndHO.png' --json tuned.json\n"
      "  bankside evaluate --responses out --truth truth --fov fov --threshold-from tuned.json");
}

std::string endEvaluate(EvaluateCommand& command) {
  Recipe& recipe = command.run.recipe;
  const bool ready = !command.responses.empty();
  if (command.truth.empty()) return "evaluate needs --truth DIR|FILE";
  if (ready == !command.run.inputs.empty())
    return "evaluate needs either --images DIR|FILE and a bank, or --responses DIR|FILE";
  Recipe untouched;
  untouched.threshold = recipe.threshold;
  untouched.stages.resize(2);
  if (ready && recipe != untouched)
    return "--responses are ready-made; --recipe, --bank and the like go with --images";
  if (ready && !command.run.scaleTable.empty())
    return "--responses are ready-made; --scale goes with --images";
  if (ready && !command.run.devices.empty()) return "--responses are ready-made; --device goes with --images";
  if (ready && !command.run.field.empty()) return "--responses are ready-made; --field goes with --images";
  if (!ready && !recipe.ofMaps() && recipe.stages.front().bank.empty())
    return "evaluate needs --bank NAME|FILE or --recipe NAME|FILE with --images";
  if (ready) {
    recipe = {.threshold = recipe.threshold};
    return "";
  }
  if (const std::string wrong = endStages(recipe); !wrong.empty()) return wrong;
  recipe.verify = VerifyLevel::Off;
  if (recipe.ofMaps()) return "";
  if (recipe.stages.back().combine == Combine::ArgMax)
    return "--combine argmax gives the number of a filter, which is no response to be evaluated";
  recipe.responses = recipe.stages.back().combine == Combine::None;
  return "";
}

}  // namespace bankside::headless
