/// Help: how to begin, the keys, where the documentation is, and what this program is made of.
#include <QCoreApplication>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QMenuBar>
#include <QMessageBox>
#include <QTabWidget>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>

#include "core/environment.h"
#include "core/text.h"
#include "gui/window/compute/assets.h"
#include "gui/window/compute/core_sentence.h"
#include "gui/window/shell/main_window.h"

namespace bankside::window {
namespace {

QTextBrowser* page(const QString& name, QTabWidget* tabs, const QString& title) {
  auto* browser = new QTextBrowser(tabs);
  browser->setObjectName(name);
  browser->setOpenLinks(false);  // of files, by the desktop
  QObject::connect(browser, &QTextBrowser::anchorClicked, browser,
                   [](const QUrl& link) { QDesktopServices::openUrl(link); });
  tabs->addTab(browser, title);
  return browser;
}

QString gettingStarted() {
  const QString steps[] = {
      MainWindow::tr(
          "<b>Open</b> a picture (Ctrl+O), a folder, or the sample photograph of the File menu. Alt+Right is "
          "the folder's next picture."),
      MainWindow::tr(
          "<b>Choose what filters it</b>, at the left: a bank, whose parameters act at once, or a recipe "
          "(File, Recipes that come with it). For blood vessels that is the recipe <i>vessels</i>. It asks "
          "for the camera's angle, because its filters fit the width of vessels."),
      MainWindow::tr(
          "<b>Look</b>: the wheel zooms, a drag moves all panes together, a click explains the pixel tap by "
          "tap. Alt+1 to Alt+4 is the number of panes; the list above each says what it shows."),
      MainWindow::tr("<b>Compare</b>: Ctrl+K keeps a result as it is; F8, or holding space, blinks between A "
                     "and B, Ctrl+T "
                     "swipes. The Compare panel says in words and figures how far they are apart."),
      MainWindow::tr(
          "<b>Hold it against an expert</b>: open manual vessels in the Truth panel. Found, missed and false "
          "pixels are coloured, and AUC and MCC follow every change."),
      MainWindow::tr(
          "<b>Do a whole folder</b>: Run over folder (Ctrl+F5) writes every response and a table. Evaluate "
          "against manual vessels (Ctrl+F6) gives the figures of a study."),
      MainWindow::tr("<b>Take it along</b>: Save recipe (Ctrl+S) and Copy as command (Ctrl+Shift+C) repeat "
                     "what is shown "
                     "byte for byte, here or in a script. Ctrl+Z takes back everything that was done.")};
  QString text = QStringLiteral("<ol>");
  for (const QString& step : steps) text += QStringLiteral("<li style='margin-bottom:6px'>%1</li>").arg(step);
  return text + QStringLiteral("</ol>");
}

/// The section of the user guide that is about the window; empty where that is not found.
QString ofTheGuide(const QString& folder) {
  QFile file(QDir(folder).filePath(QStringLiteral("user-guide.md")));
  if (folder.isEmpty() || !file.open(QIODevice::ReadOnly)) return {};
  const QString text = QString::fromUtf8(file.readAll());
  const QString heading = QStringLiteral("\n## The window\n");
  const qsizetype from = text.indexOf(heading);
  if (from < 0) return {};
  QString section = text.mid(from, text.indexOf(QStringLiteral("\n## "), from + heading.size()) - from);
  // Its pictures lie elsewhere.
  QStringList lines = section.split(QLatin1Char('\n'));
  lines.removeIf([](const QString& line) { return line.startsWith(QLatin1String("![")); });
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

QString MainWindow::keysOfMenus() const {
  QString text = QStringLiteral("<table cellpadding=3>");
  const auto row = [&text](const QString& keys, const QString& what) {
    text += QStringLiteral("<tr><td><b>%1</b></td><td>%2</td></tr>")
                .arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
  };
  for (const QAction* menu : menuBar()->actions()) {
    if (menu->menu() == nullptr) continue;
    QString title = menu->text();
    text += QStringLiteral("<tr><td colspan=2><h4>%1</h4></td></tr>").arg(title.remove(QLatin1Char('&')));
    for (const QAction* action : menu->menu()->actions()) {
      QString name = action->text();
      if (!action->shortcut().isEmpty())
        row(action->shortcut().toString(QKeySequence::NativeText), name.remove(QLatin1Char('&')));
    }
  }
  text += QStringLiteral("<tr><td colspan=2><h4>%1</h4></td></tr>").arg(tr("In a pane"));
  row(tr("Space"), tr("While it is held, B in the place of A"));
  row(tr("Arrows"), tr("Move"));
  row(tr("+, −, wheel"), tr("Zoom"));
  row(tr("Home, double click"), tr("Fit the whole picture"));
  row(tr("Shift and drag"), tr("Draw a rectangle"));
  return text + QStringLiteral("</table>");
}

void MainWindow::showGuide(int tab) {
  QDialog dialog(this);
  dialog.setObjectName(QStringLiteral("guide"));
  dialog.setWindowTitle(tr("Help"));
  dialog.resize(QSize(720, 560).boundedTo(size() * 0.95));
  auto* tabs = new QTabWidget(&dialog);
  tabs->setObjectName(QStringLiteral("guideTabs"));
  const QString folder = docsFolder();
  QString where = folder.isEmpty() ? tr("The documentation is not installed beside this program; it is the "
                                        "folder docs of Bankside's source.")
                                   : tr("All documentation: <a href=\"%1\">%2</a>.")
                                         .arg(QUrl::fromLocalFile(folder).toString(), folder.toHtmlEscaped());
  where += QLatin1Char(' ') + tr("In a terminal every command has help: <i>bankside COMMAND --help</i>.");
  page(QStringLiteral("guideStart"), tabs, tr("Getting started"))
      ->setHtml(gettingStarted() + QStringLiteral("<p>%1</p>").arg(where));
  page(QStringLiteral("guideKeys"), tabs, tr("Keyboard"))->setHtml(keysOfMenus());
  if (const QString section = ofTheGuide(folder); !section.isEmpty())
    page(QStringLiteral("guideWindow"), tabs, tr("Everything in the window"))->setMarkdown(section);
  tabs->setCurrentIndex(tab);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
  connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  auto* column = new QVBoxLayout(&dialog);
  column->addWidget(tabs, 1);
  column->addWidget(buttons);
  dialog.exec();
}

void MainWindow::showAbout() {
  QString text =
      tr("<h3>Bankside %1</h3><p>Filter banks over images, side by side with OpenCV's filter2D.</p>")
          .arg(QString::fromStdString(versionText()).toHtmlEscaped());
  // Engines that are missing for one reason share a line.
  std::vector<std::pair<QString, QString>> rows;
  std::vector<const Engine*> engines = workflow_.engines();
  std::stable_partition(engines.begin(), engines.end(),
                        [](const Engine* engine) { return static_cast<bool>(engine->available()); });
  for (const Engine* engine : engines) {
    const Support available = engine->available();
    const QString name = QString::fromStdString(engine->name()).toHtmlEscaped();
    const QString what =
        (available ? tr("%1, on %2")
                         .arg(sentenceOf(engine->description()), QString::fromStdString(engine->device()))
                   : tr("Not here. %1").arg(sentenceOf(available.reason)))
            .toHtmlEscaped();
    const auto same =
        std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.second == what; });
    if (same != rows.end()) {
      same->first += QStringLiteral(", ") + name;
    } else {
      rows.emplace_back(name, what);
    }
  }
  text += QStringLiteral("<table cellpadding=3 width=560>");
  for (const auto& [name, what] : rows) {
    text += QStringLiteral("<tr><td><b>%1</b></td><td>%2</td></tr>").arg(name, what);
  }
  text += QStringLiteral("</table><p>");
  for (const auto& [name, value] : currentEnvironment()) {
    if (name == "bankside") continue;  // the title
    text += QString::fromStdString(name + ": " + value).toHtmlEscaped() + QStringLiteral("<br>");
  }
  text +=
      tr("Qt %1</p><p>Apache License 2.0. Qt is used under the LGPL 3.</p>").arg(QLatin1String(qVersion()));
  QMessageBox box(QMessageBox::NoIcon, tr("About Bankside"), text, QMessageBox::Close, this);
  box.setObjectName(QStringLiteral("about"));
  box.setTextFormat(Qt::RichText);
  box.setTextInteractionFlags(Qt::TextSelectableByMouse);
  box.exec();
}

}  // namespace bankside::window
