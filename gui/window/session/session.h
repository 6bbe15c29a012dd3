/// THE state of the window: what is open, which bank, which settings, which panes, what is known. Everything
/// else reads it and is told when it changes; nothing else keeps any.
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>
#include <memory>

#include "gui/window/session/branches.h"
#include "gui/window/session/kept_results.h"
#include "gui/window/session/plane_store.h"
#include "gui/window/session/session_state.h"

namespace bankside::window {

/// Milliseconds. What waits for less is not said to wait: one could not read it.
inline constexpr int patience = 150;
/// Milliseconds after which one who turns a parameter has made a pause.
inline constexpr std::chrono::milliseconds pauseOfTurning{250};

class Session : public QObject {
  Q_OBJECT
 public:
  /// `budget`: bytes of planes that are held, kept results among them.
  explicit Session(QObject* parent = nullptr, std::int64_t budget = std::int64_t{1} << 30);

  const SessionState& state() const { return state_; }
  /// Replaces everything that is remembered; the picture and the bank that it names are opened by others.
  void restore(const SessionState& state);

  /// What there is now, and the way back to it. `picture` is the one that the setup names. Zoom, the pixel
  /// and the recent files stay.
  Setup setup() const;
  void takeUp(const Setup& setup, const PicturePtr& picture, const std::vector<PlaneResult>& inputs = {});

  /// How what is shown under that key is made; of a kept result, was.
  Setup setupOf(const PlaneKey& key) const;
  /// Freezes what a pane shows. Its number; 0 if the pane has no finished result. What was kept for longest
  /// goes where the memory is full.
  int keepResult(int pane);
  void forgetKept(int number);
  const KeptResults& kept() const { return keptResults_; }

  /// A pane keeps to the recipe, or to the picture, that it shows now, and goes on being computed; or follows
  /// the panels again.
  void keepRecipe(int pane, bool on);
  void keepPicture(int pane, bool on);
  /// The panels take what a pane keeps to, and the panes that followed them keep to what they showed.
  void editBranch(int pane);
  /// Pictures beside the present one, each in a pane that keeps to it, as far as there is room; with the
  /// input of each, where that was made.
  void addPictures(const std::vector<PicturePtr>& pictures,
                   const std::vector<std::vector<PlaneResult>>& inputs = {});
  /// What branches name that is not there yet: to be read by `readBranch`, with its pages stacked or not.
  struct Unread {
    int number = 0;
    Branch branch;
    bool stacked = false;
  };
  std::vector<Unread> unreadBranches() const;
  void setBranches(const std::map<int, BranchContent>& contents);
  /// Of a number that a PlaneKey has; null for 0.
  const Branches::Entry* branch(int number) const { return branches_.find(number); }
  /// The picture that planes of a branch are of.
  const PicturePtr& pictureOf(int branch) const;
  const Recipe& recipeOf(int branch) const;

  const PicturePtr& picture() const { return picture_; }
  /// With what it is filtered as, where that was made with `settingsWith`: no pane is blank until it is.
  void setPicture(PicturePtr picture, const std::vector<PlaneResult>& inputs = {});
  /// Settings that there are when that picture is open.
  RunSettings settingsWith(const QString& imagePath) const;

  const std::shared_ptr<const FilterBank>& bank() const { return bank_; }
  /// `spec` makes the bank again: a name with parameters or a file. `edited`: not yet, only a file saved now
  /// would.
  void setBank(FilterBank bank, const QString& spec, bool edited = false);
  bool bankEdited() const { return bankEdited_; }
  /// A bank or a recipe is being made.
  bool bankComing() const { return bankComing_; }
  void setBankComing(bool coming);
  /// The bank that sees the maps of the first; null where there is one stage.
  const std::shared_ptr<const FilterBank>& secondBank() const { return then_; }
  void setSecondBank(FilterBank bank, const QString& spec);
  void clearSecondBank();
  /// A recipe of steps with their banks, instead of one bank or two; until a bank is set.
  void setSteps(const Recipe& recipe, std::vector<FilterBank> banks);
  /// Of the pictures, for recipes that are written for a scale.
  void setScale(double pixelsPerDegree);
  /// For that picture alone, whether it is open or about to be: others have again what is set now.
  void setScaleOf(const QString& imagePath, double pixelsPerDegree);
  /// For the present picture alone.
  void setChannelHere(ChannelChoice channel);
  /// The pixels per degree that the recipe is written for; 0 where it is for any picture as it is.
  double recipeScale(int branch = 0) const;
  bool asksForScale(int branch = 0) const { return recipeScale(branch) > 0; }
  bool scaleMissing(int branch = 0) const { return asksForScale(branch) && state_.pixelsPerDegree == 0; }

  const Recipe& recipe() const { return state_.recipe; }
  void setRecipe(const Recipe& recipe);  ///< all but the banks, which have setters of their own
  void setThreads(int threads);
  /// Bank or settings change again and again without a pause: figures that nobody could read wait for
  /// `rested`.
  bool turning() const { return turning_; }
  /// How long nothing may change before it rests.
  void setPauseOfTurning(std::chrono::milliseconds pause) { pause_.setInterval(pause); }

  void setPanes(std::vector<PaneSpec> panes);
  void setPane(int pane, PaneSpec spec);
  void setMode(CanvasMode mode);
  void setSwipe(double fraction);
  void setCompared(int first, int second);
  /// Those of `compared` that are there.
  std::array<int, 2> comparedPanes() const;
  void setView(const View& view);
  void setLevels(LevelGroup group, const LevelSetting& setting);
  /// The input in colour, for the eye alone.
  void setColors(bool on);
  /// The opacity of a response over the input.
  void setOverlay(double opacity);
  void setPixel(std::optional<QPoint> pixel);
  void selectPlane(int index);
  void setRegion(const RegionSpec& spec);
  void setTruth(const TruthSpec& spec);
  /// What the worker made of the region; null with a sentence if it cannot be had.
  void setMask(MaskPtr mask, const QString& error);
  void addStatistics(const PlaneKey& key, const PlanePtr& plane, const RegionStatistics& statistics);
  void addRecent(const QString& path);
  void clearRecent();

  /// Result planes of bank and recipe on this picture: responses, then combined ones.
  const std::vector<PlaneName>& planes() const { return list_.planes; }
  int responseCount() const { return list_.responses; }  ///< how many of them are single filters' responses
  const PlaneList& list(int branch) const;
  /// The filter of the one bank behind a plane; -1 for a combined plane, and where two banks make it.
  int filterOf(int plane) const;
  QString planeTitle(int plane) const { return list_.titleOf(plane); }
  QString planeTitle(const PlaneKey& key) const;  ///< empty for what is no result
  /// Channels after the choice; empty with `channelError` saying why if the choice cannot be made.
  const std::vector<std::string>& channels() const { return list_.channels; }
  const QString& channelNote() const { return list_.note; }
  const QString& channelError() const { return list_.error; }

  /// Whether every channel, or every map of the first bank, has planes of its own.
  bool perGroup() const { return list_.perGroup; }

  PlaneKey keyOf(const PaneSpec& pane) const;
  /// What a pane can show now: perhaps null, perhaps not `fresh`.
  const PlaneResult* result(const PlaneKey& key) const;
  bool fresh(const PlaneKey& key) const { return key.layer == Layer::Kept || store_.fresh(key); }
  /// What people call it: "Our output", or what a kept result was.
  QString titleOf(const PlaneKey& key) const;
  /// Where that has no room.
  QString shortTitleOf(const PlaneKey& key) const;
  /// Planes that the panes want and that are not there or out of date.
  std::vector<PlaneKey> missingPlanes() const;
  /// Of a branch, under the keys that `computePlanes` knows.
  std::map<PlaneKey, PlaneResult> freshPlanes(int branch) const;
  void addResult(PlaneResult result);

  /// What a pane paints: the result that it asks for or, until that is there, the one that it had, or the
  /// input.
  struct Shown {
    enum class Age { Present, Earlier, Instead };
    PlanePtr plane;  ///< null: nothing
    RenderStyle style;
    Age age = Age::Present;
    QString of;  ///< the picture's name, where it is another than the one that is open
    std::pair<std::filesystem::path, int> file = {};  ///< of an earlier one: the picture's, and the page
  };
  Shown shown(int pane) const;
  /// What lies over the input: the selected plane of our output or, until that is there, the one before.
  struct Overlay {
    PlanePtr plane;  ///< null: nothing
    RenderStyle style;
    Cover cover;
    QString title;
  };
  Overlay overlay() const;
  /// The input's colours; null where none are wanted, there or made yet.
  Photograph photograph() const { return state_.colors ? photograph_ : nullptr; }
  bool photographMissing() const;
  void setPhotograph(const PicturePtr& of, Photograph photograph);
  /// What is missing is not being computed, because somebody stopped it. Ends with the next request.
  bool stopped() const { return stopped_; }
  void setStopped(bool stopped);

  /// The visible part of a plane whose whole is not there yet; null if there is none.
  const PlanePatch* patch(const PlaneKey& key) const;
  void addPatch(PlanePatch patch);
  /// What the panes see of the image, for whoever computes, and how often it may be halved for their zoom.
  void setVisible(const Region& area, int level);
  /// Visible parts that coarser copies are too coarse for, of a picture that is not in memory.
  std::vector<PlaneKey> missingParts() const;
  /// Of the plane or, where that is not whole, of its visible part; nothing where it is not known.
  std::optional<float> valueAt(const PlaneKey& key, int x, int y) const;
  std::int64_t storedBytes() const { return store_.bytes(); }

  /// Null for the whole image, and until the region is made.
  const MaskPtr& mask() const { return mask_; }
  bool maskMissing() const {
    return picture_ && state_.region.kind != RegionKind::Whole && !maskKnown_ && !maskStopped_;
  }
  /// It is not being made, because somebody stopped it. Ends with the next request.
  bool maskStopped() const { return maskStopped_; }
  void setMaskStopped(bool stopped);
  const QString& regionError() const { return regionError_; }
  /// Why nothing can be said of what lies inside; empty where it can, or will be.
  QString regionTrouble() const;
  /// Of what is shown under that key, inside the region; null until it is measured.
  const RegionStatistics* statistics(const PlaneKey& key) const;
  /// What is on show and not measured.
  std::vector<std::pair<PlaneKey, PlanePtr>> unmeasured() const;

  LevelGroup groupOf(const PlaneKey& key, const Plane& plane) const;
  /// Levels that a plane is shown with; automatic ones come from the planes that are there.
  RenderStyle styleFor(const PlaneKey& key) const;
  const LevelSetting& levels(LevelGroup group) const {
    return state_.levels[static_cast<std::size_t>(group)];
  }

  RunSettings runSettings(int branch = 0) const;

 Q_SIGNALS:
  void pictureChanged();
  void bankChanged();
  void recipeChanged();
  void planesChanged();   ///< the list of result planes, or which one is selected
  void panesChanged();    ///< what they show, how many, or the mode
  void resultsChanged();  ///< a plane came or went
  void keptChanged();
  /// The memory was full.
  void keptDropped(const QString& title);
  void viewChanged();
  void visibleChanged();  ///< of a picture that is not in memory
  void levelsChanged();
  void pixelChanged();
  void regionChanged();   ///< another region is asked for
  void regionMeasured();  ///< its mask or a plane's statistics came
  void truthChanged();
  void recentChanged();
  void rested();  ///< it is no longer `turning`

 private:
  void settingsChanged(bool planesMoved);
  void noteTurn();
  /// Whether settings were those of the picture before alone.
  bool takePicture(PicturePtr picture);
  /// Whatever is shown may be another.
  void tellOfAll();
  void hold(PlaneResult result);
  static QString nameOf(const PicturePtr& picture);
  static std::pair<std::filesystem::path, int> fileOf(const PicturePtr& picture);
  static Shown earlierOf(const Shown& now, const PicturePtr& picture);
  /// Thresholds are of the responses of one bank or recipe.
  void forgetThresholds();
  /// Panes that show a kept result that is gone show our output.
  void leaveGone();
  int addKept(KeptResult kept);
  PlaneKey levelsFrom(const PlaneKey& key) const;
  /// One contrast of all panes, or of the plane alone.
  Levels responseLevels(const PlaneKey& key, const Plane& own) const;
  void updatePlanes();
  /// Planes are followed by their names where others have come in between.
  void selectAgain(const PlaneList& before);
  void selectAgain(const Branch& branch, const PlaneList& before, const PlaneList& now);
  void keepShown();
  /// After the panes changed.
  void holdBranches();
  void listBranches(bool ofPicture, bool ofRecipe);
  void listBranch(int number);
  /// Branches that do not keep to a picture of their own follow the present one; of recipes the same.
  bool followsPicture(int branch) const;
  bool followsRecipe(int branch) const;
  /// `same`: what the pane shows does not change with it.
  void moveTo(int pane, const Branch& branch, bool same);
  void clearPlanes(const PlaneStore::Which& which);
  bool branchReady(int number) const;

  SessionState state_;
  PicturePtr picture_;
  std::shared_ptr<const FilterBank> bank_;
  bool bankEdited_ = false;
  bool bankComing_ = false;
  Combine combineBefore_ = Combine::None;  // of the bank that a recipe of steps came instead of
  std::shared_ptr<const FilterBank> then_;
  std::shared_ptr<const std::vector<FilterBank>> stepBanks_;
  PlaneList list_;
  Branches branches_;
  struct Measured {
    PlanePtr plane;
    RegionStatistics statistics;
  };
  void forgetRegion();
  const Histogram& histogramOf(const PlaneKey& key, const Plane& plane) const;

  MaskPtr mask_;
  bool maskKnown_ = false;
  bool maskStopped_ = false;
  QString regionError_;
  std::map<PlaneKey, Measured> measured_;
  std::array<Shown, mostPanes> kept_;  // what each pane showed before it changed
  Overlay keptOverlay_;
  Photograph photograph_;
  bool showsInput() const;
  bool stopped_ = false;
  bool turning_ = false;
  bool noted_ = false;  ///< a change of the event under way
  QTimer pause_;        // since the last change
  Region visible_;
  int visibleLevel_ = 0;
  std::map<PlaneKey, PlanePatch> patches_;
  KeptResults keptResults_;
  mutable PlaneStore store_;  // looking at a plane keeps it
};

}  // namespace bankside::window
