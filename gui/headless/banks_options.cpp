#include "gui/headless/banks_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "core/text.h"
#include "filters/formats/bank_formats.h"
#include "gui/headless/bank_options.h"
#include "gui/headless/word_option.h"

namespace bankside::headless {
namespace {

/// "120,80" as x and y.
std::optional<std::pair<int, int>> parsePixel(const std::string& text) {
  const auto parts = split(text, ',');
  if (parts.size() != 2) return std::nullopt;
  const auto x = parseInteger(parts[0]);
  const auto y = parseInteger(parts[1]);
  const auto fits = [](const auto& v) { return v && *v >= 0 && *v < std::numeric_limits<int>::max(); };
  if (!fits(x) || !fits(y)) return std::nullopt;
  return std::pair(static_cast<int>(*x), static_cast<int>(*y));
}

CLI::Validator oneOf(const std::vector<std::string>& words) {
  return CLI::Validator(
      [words](std::string& t) {
        return std::find(words.begin(), words.end(), t) != words.end()
                   ? std::string()
                   : "\"" + t + "\" is none of " + joinWords(words);
      },
      "");
}

void addPlane(CLI::App& app, ChannelChoice& channel) {
  wordOption(
      app, "--channel", channel,
      [](const std::string& t) {
        const auto choice = parseChannelChoice(t);
        return choice == ChannelChoice::All || (choice && isOfPages(*choice)) ? std::nullopt : choice;
      },
      "auto, luma, red, green, blue",
      "Plane of the image: auto (default: grey as it is, colour as luma), luma, red, green or blue");
}

}  // namespace

void addBanks(CLI::App& root, BanksCommand& command) {
  CLI::App* app =
      root.add_subcommand("banks", "List, show, analyze and export filter banks; detect conventions");
  app->require_subcommand(1);
  CLI::App* list = app->add_subcommand("list", "Every bank of the catalogue with its parameters");
  list->callback([&] { command.action = BanksCommand::Action::List; });
  list->footer("Example:\n  bankside banks list");
  CLI::App* show = app->add_subcommand("show", "Pictures of a bank's filters, and where it comes from");
  show->add_option("BANK", command.bank, "Name with parameters, or file")->required()->type_name("");
  show->add_flag("--taps", command.taps, "Every filter's numbers instead of its picture");
  show->callback([&] { command.action = BanksCommand::Action::Show; });
  show->footer("Example:\n  bankside banks show vessel-matched:sigma=1.5,length=7,orientations=24");
  CLI::App* save = app->add_subcommand("export", "Write a bank for this program or another one");
  save->add_option("BANK", command.bank, "Name with parameters, or file")->required()->type_name("");
  save->add_option("FILE", command.file, "Where to; its ending says the format")->required()->type_name("");
  std::vector<std::string> formats = {"json"};
  for (const BankFormat& format : bankFormats()) formats.push_back(format.name);
  save->add_option("--format", command.format,
                   "Instead of the ending's: " + joinWords(formats) + " (see: bankside banks formats)")
      ->check(oneOf(formats))
      ->type_name("NAME");
  save->add_option("--filter", command.filter, "Only the filter of that label")->type_name("LABEL");
  save->add_flag("--force,-f", command.force, "Replace the file if it exists and differs");
  save->callback([&] { command.action = BanksCommand::Action::Export; });
  save->footer(
      "Taps are turned and padded to say the same in the format's convention, which is said.\n"
      "Examples:\n"
      "  bankside banks export kirsch kirsch.json\n"
      "  bankside banks export vessel-gabor gabor.kernel --filter theta030\n"
      "  bankside banks export vips:foreign.dat foreign.yml");
  CLI::App* forms =
      app->add_subcommand("formats", "Every format of bank files, its ending and its convention");
  forms->callback([&] { command.action = BanksCommand::Action::Formats; });
  forms->footer("Example:\n  bankside banks formats");
  CLI::App* analyze = app->add_subcommand("analyze", "Gain, symmetry, rank, frequencies and redundancy");
  analyze->add_option("BANK", command.bank, "Name with parameters, or file")->required()->type_name("");
  CLI::Option* image =
      analyze
          ->add_option("--image", command.image, "Also what every filter answers at one pixel of this image")
          ->type_name("FILE");
  CLI::Option* pixel =
      analyze
          ->add_option_function<std::string>(
              "--at", [&](const std::string& t) { command.pixel = *parsePixel(t); }, "The pixel, from 0,0")
          ->check(CLI::Validator(
              [](std::string& t) {
                return parsePixel(t) ? std::string() : "\"" + t + "\" is no pixel such as 120,80";
              },
              "X,Y"))
          ->type_name("");
  addPlane(*analyze, command.channel);
  addBorder(*analyze, command.border);
  addMode(*analyze, "--mode", command.mode, modeHelp);
  image->needs(pixel);
  pixel->needs(image);
  analyze
      ->add_option("--json", command.json, "Write every figure, singular values and frequency responses too")
      ->type_name("FILE");
  analyze->callback([&] { command.action = BanksCommand::Action::Analyze; });
  analyze->footer(
      "Examples:\n"
      "  bankside banks analyze vessel-gabor --json gabor.json\n"
      "  bankside banks analyze vessel-bar --image fundus.jpg --at 512,300");
  CLI::App* detect = app->add_subcommand(
      "detect", "Which convention makes another program's result: flip, anchor, border, factor, depth");
  detect->add_option("--input", command.image, "The image that was filtered")->required()->type_name("FILE");
  detect->add_option("--output", command.result, "What the other program made of it")
      ->required()
      ->type_name("FILE");
  detect
      ->add_option("--bank,-b", command.bank, "The bank with which it did; of several filters each is tried")
      ->required()
      ->type_name("NAME|FILE");
  detect->add_option("--filter", command.filter, "Only the filter of that label")->type_name("LABEL");
  addPlane(*detect, command.channel);
  detect->callback([&] { command.action = BanksCommand::Action::Detect; });
  detect->footer(
      "Exits with 4 if no convention gives the result.\n"
      "Example:\n  bankside banks detect --input scan.png --output theirs.tif --bank sobel --filter dx");
  app->footer("Examples:\n  bankside banks list\n  bankside banks show sobel");
}

}  // namespace bankside::headless
