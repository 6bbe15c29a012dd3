#!/usr/bin/env python3
"""A contact sheet in a browser: every picture is drawn, what is odd comes first, nothing leaves the page.

    sheet_test.py PROGRAM ASSETS [SCREENSHOT.png]      exit code 77: there is no Chromium
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Put behind the sheet; what it finds is read from the page that the browser then prints.
LOOK = """<script>
addEventListener('load', () => {
  const cards = [...document.querySelectorAll('article')];
  const images = [...document.images];
  const found = {
    cards: cards.map(card => [card.querySelector('h2').textContent, card.querySelector('b')?.textContent ?? '']),
    images: images.length,
    drawn: images.filter(image => image.complete && image.naturalWidth === image.width &&
                                  image.naturalHeight === image.height).length,
    inside: cards.every(card => card.getBoundingClientRect().right <= innerWidth),
    scrolls: document.documentElement.scrollWidth > innerWidth,
    elements: document.querySelectorAll('main i, main script').length,
    asked: performance.getEntriesByType('resource').filter(entry => !entry.name.startsWith('data:')).length};
  document.body.replaceChildren();
  document.body.textContent = 'FOUND' + JSON.stringify(found) + 'END';
});
</script>"""
WIDTHS = (1200, 500)


def browser():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return name
    print("skipped: there is no Chromium")
    sys.exit(77)


def call(program, folder, width, words):
    command = [program, "--headless", "--disable-gpu", "--no-first-run", "--disable-extensions", "--hide-scrollbars",
               f"--user-data-dir={folder / 'profile'}", f"--window-size={width},900", *words]
    if os.geteuid() == 0:
        command.insert(1, "--no-sandbox")  # it starts for root in no other way
    environment = {**os.environ, "HOME": str(folder)}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def make_sheet(bankside, assets, folder):
    images = folder / "in"
    images.mkdir()
    shutil.copy(assets / "images/retina.jpg", images / "a <i>good<!i> one.jpg")
    shutil.copy(assets / "images/phantom.png", images / "b.png")
    (images / "c.pgm").write_bytes(b"P5 90 60 255\n" + bytes(90 * 60))
    (images / ("long-name-" * 20 + ".png")).write_bytes(b"no picture")
    sheet = folder / "sheet.html"
    code = subprocess.run([bankside, "batch", images, folder / "out", "--bank", "vessel-matched", "--channel", "luma",
                           "--combine", "max", "--no-responses", "--no-progress", "--sheet", sheet],
                          capture_output=True, check=False).returncode
    assert code == 3, f"one of four is no picture, and the exit code is {code}"
    return sheet


def main():
    bankside, assets = sys.argv[1], Path(sys.argv[2])
    program = browser()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sheet = make_sheet(bankside, assets, folder)
        looked = folder / "looked.html"
        looked.write_text(sheet.read_text(encoding="utf-8").replace("</body>", LOOK + "</body>"), encoding="utf-8")
        for width in WIDTHS:
            page = call(program, folder, width, ["--dump-dom", looked.as_uri()])
            found = json.loads(re.search("FOUND(.*)END", page, re.S).group(1).replace("&lt;", "<").replace("&gt;", ">"))
            print(width, found)
            assert [oddity for _, oddity in found["cards"]] == ["failed", "empty response", "", ""], found
            assert found["cards"][0][0].startswith("long-name-")
            assert "a <i>good<!i> one.jpg" in [card for card, _ in found["cards"]], "names are text"
            assert found["elements"] == 0, "and no part of the page"
            assert found["images"] == found["drawn"] == 6, "three inputs and three responses"
            assert found["inside"] and not found["scrolls"], "the page is as wide as the window"
            assert found["asked"] == 0, "it asks for nothing beside itself"
        picture = Path(sys.argv[3]).resolve() if sys.argv[3:] else folder / "sheet.png"
        call(program, folder, WIDTHS[0], [f"--screenshot={picture}", sheet.as_uri()])
        assert picture.read_bytes().startswith(b"\x89PNG"), "it can be drawn"


if __name__ == "__main__":
    main()
