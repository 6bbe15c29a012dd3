#include "gui/window/session/session.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QJsonArray>
#include <QSignalSpy>
#include <fstream>

#include "core/error.h"
#include "filters/catalog.h"
#include "gui/window/session/pane_message.h"
#include "gui/window/session/session_file.h"
#include "gui/window/session/travelling_recipe.h"
#include "tests/support/made_images.h"

namespace bankside::window {
namespace {

using bankside::testing::integerBank;
using bankside::testing::integerImage;
using bankside::testing::TemporaryFolder;

PicturePtr picture(int channels = 1, int width = 40, int height = 30) {
  auto made = std::make_shared<Picture>();
  made->path = "made.png";
  made->image = std::make_shared<const Image>(integerImage(channels, height, width, ElementType::U8));
  made->info.channels = channels;
  made->info.width = width;
  made->info.height = height;
  made->info.channelNames =
      channels == 3 ? std::vector<std::string>{"red", "green", "blue"} : std::vector<std::string>{"grey"};
  return made;
}

SessionState unusual() {
  SessionState state;
  state.imagePath = QStringLiteral("/somewhere/an eye.tif");
  state.page = 3;
  state.recipe.stages.front() = {"gaussian:sigma=2", FilterMode::Convolution, Combine::ArgMax};
  state.recipe.border = {BorderKind::Constant, -1.5f};
  state.recipe.channel = ChannelChoice::Green;
  state.threads = 1;
  state.selectedPlane = 2;
  state.panes = {{Layer::Difference, 1}, {Layer::OpenCv, -1}, {Layer::Output, 0}};
  state.mode = CanvasMode::Swipe;
  state.swipe = 0.25;
  state.view = {false, 12.5, 7.25, 9.5};
  state.levels[1] = {false, {-3, 4}, ColorMap::Cividis, 0};
  state.pixel = QPoint(5, 6);
  state.region = {RegionKind::Ellipse, 3, 4, 50, 60, "masks/eye.png"};
  state.truth = {QStringLiteral("masks/vessels.png"), 12.5f, false, 0.25};
  state.recent = {QStringLiteral("a"), QStringLiteral("b")};
  return state;
}

TEST(SessionState, SurvivesItsFile) {
  const TemporaryFolder folder;
  const QString file = QString::fromStdString((folder / "deep" / "session.json").string());
  const SessionState before = unusual();
  ASSERT_TRUE(saveSession(file, {before, "geometry", "docks", QStringLiteral("dark")}));
  const SavedSession after = loadSession(file);
  EXPECT_EQ(toJson(after.state), toJson(before));
  EXPECT_EQ(after.state.recipe, before.recipe);
  EXPECT_EQ(after.state.panes, before.panes);
  EXPECT_EQ(after.state.view, before.view);
  EXPECT_EQ(after.state.levels, before.levels);
  EXPECT_EQ(after.state.pixel, before.pixel);
  EXPECT_EQ(after.state.region, before.region);
  EXPECT_EQ(after.geometry, "geometry");
  EXPECT_EQ(after.docks, "docks");
  EXPECT_EQ(after.appearance, QStringLiteral("dark"));
}

TEST(SessionState, RubbishGivesTheDefaultInsteadOfAFailure) {
  const TemporaryFolder folder;
  const QString file = QString::fromStdString((folder / "session.json").string());
  const SessionState fresh;
  for (const char* text :
       {"", "{", "[1]", R"({"session": 3})",
        R"({"session": {"recipe": "{}", "panes": [1,2,3,4,5], "zoom": 1e999, "levels": [7]}})",
        R"({"session": {"page": -4, "plane": -9, "panes": [{"layer": "x", "plane": -7}]}})"}) {
    QFile out(file);
    ASSERT_TRUE(out.open(QIODevice::WriteOnly));
    out.write(text);
    out.close();
    const SavedSession saved = loadSession(file);
    EXPECT_EQ(saved.state.recipe, fresh.recipe) << text;
    EXPECT_GE(saved.state.page, 0);
    EXPECT_GE(saved.state.selectedPlane, 0);
    EXPECT_GE(saved.state.panes.size(), 1u);
  }
  EXPECT_EQ(toJson(loadSession(file + QStringLiteral(".missing")).state), toJson(fresh));
}

TEST(Session, PlanesFollowBankCombineAndChannels) {
  Session session;
  session.setPicture(picture(3));
  session.setBank(integerBank(4, 1, 3, 3), QStringLiteral("made"));
  EXPECT_EQ(session.planes().size(), 4u);
  Recipe recipe = session.recipe();
  recipe.stages.front().combine = Combine::ArgMax;
  session.setRecipe(recipe);
  EXPECT_EQ(session.planes().size(), 6u);
  EXPECT_EQ(session.filterOf(3), 3);
  EXPECT_EQ(session.filterOf(4), -1);
  recipe.channel = ChannelChoice::All;
  session.setRecipe(recipe);
  EXPECT_EQ(session.planes().size(), 18u);
  EXPECT_EQ(session.planeTitle(5).left(5), QStringLiteral("green"));
  session.selectPlane(5);
  EXPECT_EQ(session.keyOf({Layer::Input}), (PlaneKey{Layer::Input, 1}));
}

TEST(Session, AsksForWhatThePanesShowAndNoMore) {
  Session session;
  EXPECT_TRUE(session.missingPlanes().empty());
  session.setPicture(picture());
  EXPECT_EQ(session.missingPlanes(), (std::vector<PlaneKey>{{Layer::Input, 0}})) << "no bank yet";
  session.setBank(integerBank(2, 1, 3, 3), QStringLiteral("made"));
  EXPECT_EQ(session.missingPlanes(), (std::vector<PlaneKey>{{Layer::Input, 0}, {Layer::Output, 0}}));
  PlaneResult result;
  result.key = {Layer::Output, 0};
  result.plane = makePlane(session.picture()->image, 0);
  session.addResult(result);
  EXPECT_EQ(session.missingPlanes(), (std::vector<PlaneKey>{{Layer::Input, 0}}));
  Recipe recipe = session.recipe();
  recipe.border.kind = BorderKind::Wrap;
  session.setRecipe(recipe);
  EXPECT_EQ(session.missingPlanes().size(), 2u) << "another border, other results";
  EXPECT_NE(session.result({Layer::Output, 0}), nullptr) << "the old one is shown until the new one is there";
}

TEST(Session, TheInputStaysWhereTheSameChannelsOfItAreFiltered) {
  Session session;
  session.setPicture(picture(3));
  Recipe recipe = session.recipe();
  recipe.channel = ChannelChoice::Green;
  session.setRecipe(recipe);
  session.setBank(integerBank(2, 1, 3, 3), QStringLiteral("made"));
  PlaneResult input;
  input.key = {Layer::Input, 0};
  input.plane = makePlane(session.picture()->image, 1);
  session.addResult(input);
  session.setBank(integerBank(3, 1, 5, 5), QStringLiteral("another"));
  EXPECT_EQ(session.missingPlanes(), (std::vector<PlaneKey>{{Layer::Output, 0}}));
  recipe = session.recipe();
  recipe.channel = ChannelChoice::Red;
  session.setRecipe(recipe);
  EXPECT_EQ(session.missingPlanes().front(), (PlaneKey{Layer::Input, 0}));
}

/// The number of what a pane keeps to, which is given its picture.
int giveBranch(Session& session, const PaneSpec& pane, const PicturePtr& its) {
  const int number = session.keyOf(pane).branch;
  BranchContent content;
  content.picture = its;
  session.setBranches({{number, content}});
  return number;
}

TEST(Session, AResultOfAPaneThatIsGoneIsNotHeld) {
  Session session;
  session.setPicture(picture());
  const PaneSpec own{Layer::Input, -1, {{}, QStringLiteral("other.png"), 0}};
  session.setPanes({{Layer::Input}, own});
  const int number = giveBranch(session, own, picture());
  session.setPanes({{Layer::Input}});
  PlaneResult result;
  result.key = {Layer::Input, 0, number};
  result.plane = makePlane(session.picture()->image, 0);
  session.addResult(result);
  EXPECT_EQ(session.storedBytes(), 0);
}

TEST(Session, APaneFindsItsPlaneInTheListOfItsOwnPicture) {
  Session session;
  session.setPicture(picture());
  session.setBank(integerBank(2, 1, 3, 3), QStringLiteral("made"));
  Recipe recipe = session.recipe();
  recipe.channel = ChannelChoice::All;
  session.setRecipe(recipe);
  const PaneSpec own{Layer::Output, 5, {{}, QStringLiteral("colour.png"), 0}};
  session.setPanes({{Layer::Output}, own});
  const int number = giveBranch(session, own, picture(3));
  ASSERT_EQ(session.list(number).size(), 6);
  const auto title = [&] { return session.planeTitle(session.keyOf(session.state().panes[1])); };
  const QString before = title();
  session.setPicture(picture(1, 20, 20));
  EXPECT_EQ(session.state().panes[1].index, 5) << "the panels' pictures have two planes";
  session.setBank(integerBank(3, 1, 3, 3), QStringLiteral("more"));
  EXPECT_EQ(session.state().panes[1].index, 7);
  EXPECT_EQ(title(), before);
}

TEST(Session, AnotherScaleIsAnotherRecipeWhereAPaneKeepsToSteps) {
  Session session;
  session.setPicture(picture());
  session.setBank(integerBank(2, 1, 3, 3), QStringLiteral("made"));
  QSignalSpy changed(&session, &Session::recipeChanged);
  session.setScale(20);
  EXPECT_EQ(changed.count(), 0);
  Branch steps{Recipe{}, {}, 0};
  steps.recipe->steps.resize(1);
  session.setPanes({{Layer::Output}, {Layer::Output, -1, steps}});
  session.setScale(30);
  EXPECT_EQ(changed.count(), 1) << "what is computed at the old scale must stop";
}

TEST(Session, APartSaysThatTheRestFollowsOnlyWhereItDoes) {
  Session session;
  session.setPicture(picture());
  const PlanePatch part{{Layer::Output, 0}, {0, 0, 4, 4}, nullptr, true};
  EXPECT_TRUE(partCaption(session, part).contains(QStringLiteral("follows")));
  session.setStopped(true);
  EXPECT_FALSE(partCaption(session, part).contains(QStringLiteral("follows")));
}

TEST(TravellingRecipe, AListOfNumbersIsNoPath) {
  const std::string spec = "vessel-bar:sigma=0.856/1.22/3.42,along=13.4,orientations=18";
  EXPECT_EQ(bankTitle(spec), QString::fromStdString(spec));
  EXPECT_EQ(bankTitle("/home/who/mine.json"), QStringLiteral("mine.json"));
  // It goes into a recipe by its name, as it came.
  window::Setup setup;
  setup.state.recipe.stages.front().bank = spec;
  setup.bank = std::make_shared<const FilterBank>(loadBank(spec));
  EXPECT_EQ(travellingRecipe(setup, true).stages.front().bank, spec);
}

TEST(TravellingRecipe, BoundsThatAreNoWholeNumbersAreNamedWithTheirPlace) {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& bounds) -> std::string {
    std::ofstream(folder / "r.json") << R"({"window": {"region": {"kind": "rectangle", "bounds": )" << bounds
                                     << "}}}";
    try {
      const auto region = regionBeside(folder / "r.json", folder.path());
      return region ? std::to_string(region->x) + " " + std::to_string(region->height) : "none";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::BadInput);
      return error.what();
    }
  };
  const std::string place = (folder / "r.json").string() + ": /window/region/bounds";
  EXPECT_EQ(refusal("[1, 2, 3, 4.0]"), "1 4");
  EXPECT_EQ(refusal("[1, 2, 3, 2147483648]").find(place + "/3: found 2147483648, expected a whole number"),
            0u);
  EXPECT_EQ(refusal("[1.5, 2, 3, 4]").find(place + "/0: found 1.5, expected a whole number"), 0u);
  EXPECT_EQ(refusal("[1, \"2\", 3, 4]").find(place + "/1: found a value of type string"), 0u);
  EXPECT_EQ(refusal("[1, 2, 3]"), place + ": found [1,2,3], expected four whole numbers");
}

TEST(Session, AChoiceThatTheImageDoesNotHaveIsASentence) {
  Session session;
  session.setPicture(picture());
  session.setBank(integerBank(2, 1, 3, 3), QStringLiteral("made"));
  Recipe recipe = session.recipe();
  recipe.channel = ChannelChoice::Green;
  session.setRecipe(recipe);
  EXPECT_TRUE(session.channelError().contains(QStringLiteral("no green channel")))
      << session.channelError().toStdString();
  EXPECT_EQ(session.missingPlanes(), (std::vector<PlaneKey>{{Layer::Input, 0}}))
      << "the input is shown all the same";
}

TEST(Session, AnotherImageDropsAPixelOutsideIt) {
  Session session;
  session.setPicture(picture(1, 40, 30));
  session.setPixel(QPoint(39, 29));
  session.setPicture(picture(1, 20, 20));
  EXPECT_FALSE(session.state().pixel);
  EXPECT_TRUE(session.state().view.fit);
}

TEST(Session, OursAndOpenCvsShareLevels) {
  Session session;
  session.setPicture(picture());
  session.setBank(integerBank(1, 1, 3, 3), QStringLiteral("made"));
  const auto add = [&](Layer layer, float scale) {
    auto image = std::make_shared<Image>(1, 4, 4, ElementType::F32);
    for (int i = 0; i < 16; ++i) image->view<float>(0).at(i % 4, i / 4) = scale * static_cast<float>(i);
    PlaneResult result;
    result.key = {layer, 0};
    result.plane = makePlane(std::move(image), 0);
    session.addResult(result);
  };
  add(Layer::Output, 1);
  add(Layer::OpenCv, 100);
  EXPECT_EQ(session.styleFor({Layer::Output, 0}).levels, session.styleFor({Layer::OpenCv, 0}).levels);
  add(Layer::Difference, -2);
  const Levels levels = session.styleFor({Layer::Difference, 0}).levels;
  EXPECT_EQ(levels.low, -30);
  EXPECT_EQ(levels.high, 30);
}

}  // namespace
}  // namespace bankside::window
