"""A build folder's commands, and test programs run with a mutant inside, out of harm's way."""
import copy
import ctypes
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Who tests a layer: those whose sources mirror it first, those that reach it through something else after them.
PROGRAMS = {
    "filters": ["filters-tests", "core-tests", "headless-tests", "kernels-tests"],
    "kernels/planner": ["kernels-tests", "core-tests", "headless-tests", "cuda-on-host-tests"],
    "core": ["core-tests", "properties-tests", "headless-tests", "kernels-tests"],
}
MEMORY = 12 << 30  # address space of a process that runs a mutant
STILL = 60  # looks, a second apart, at which every thread of a program sleeps


def layer(source):
    return next(name for name in PROGRAMS if source.startswith(name + "/"))


def suites(folder):
    """googletest's filter for the suites of the test sources in a folder; empty where there is none."""
    names = set()
    for path in sorted((ROOT / "tests" / folder).glob("*.cpp")):
        names |= set(re.findall(r"^(?:TYPED_)?TEST(?:_[FP])?\(\s*(\w+)", path.read_text(encoding="utf-8"), re.M))
    return ":".join(f"{name}.*:*/{name}.*:{name}/*:*/{name}/*" for name in sorted(names))


@dataclass(frozen=True)
class Ending:
    code: int  # 0: every test passed
    seconds: float  # of processor time
    failed: str  # the first test that failed
    limit: bool  # it did more work than it may, or slept for good


@dataclass(frozen=True)
class Changed:
    """A mutant: its text, and what its source's first target made of it."""
    source: str
    text: str
    object: Path


class Build:
    """Compiles and links one mutant at a time as the folder was built. What it makes lies in `work`."""

    def __init__(self, folder, work, without=""):
        self.folder = Path(folder).resolve()
        self.work = Path(work)
        self.without = without  # googletest's names of tests that are left out
        commands = json.loads((self.folder / "compile_commands.json").read_text(encoding="utf-8"))
        self.commands = {}  # of a source: one a target that has it
        for entry in commands:
            name = os.path.relpath(entry["file"], ROOT)
            self.commands.setdefault(name, []).append((shlex.split(entry["command"]), entry["directory"]))
        self.links = {}

    def require(self, sources):
        """Every source must be compiled alone: one of ten in one translation unit is no object that can be replaced."""
        missing = sorted(source for source in sources if source not in self.commands)
        if missing:
            sys.exit(f"{self.folder} does not compile {missing[0]} by itself, nor {len(missing) - 1} others: build it with "
                     "cmake --preset release -DCMAKE_UNITY_BUILD=OFF -B build-plain && cmake --build build-plain")

    def moved(self, work):
        """The same folder's, with another place for what is made."""
        twin = copy.copy(self)
        twin.work = Path(work)
        return twin

    def compiler(self, source, target=0):
        words, folder = self.commands[source][target]
        words = words[next(i for i, word in enumerate(words) if re.search(r"(\+\+|g\+\+|clang\+\+)(-\d+)?$", word)):]
        return [word for word in words if word != "-Werror"] + ["-w"], folder

    def object_of(self, source, target=0):
        words, folder = self.compiler(source, target)
        return Path(folder) / words[words.index("-o") + 1]

    def made(self, source, text, target=0):
        """The object of a changed source as one of its targets compiles it; None where it does not compile."""
        words, folder = self.compiler(source, target)
        changed = self.work / Path(source).name
        made = self.work / f"{Path(source).name}.{target}.o"
        made.unlink(missing_ok=True)
        changed.write_text(text, encoding="utf-8")
        words[words.index("-o") + 1] = str(made)
        words[words.index("-c") + 1] = str(changed)
        ran = subprocess.run(words, cwd=folder, capture_output=True, check=False)
        return made if ran.returncode == 0 else None

    def compile(self, source, text):
        made = self.made(source, text)
        return made and Changed(source, text, made)

    def linker(self, program):
        if program not in self.links:
            said = subprocess.run(["ninja", "-C", self.folder, "-t", "commands", f"bin/{program}"], capture_output=True,
                                  text=True, check=True).stdout
            line = next(line for line in reversed(said.splitlines()) if f"-o bin/{program} " in line)
            part = next(part for part in line.split(" && ") if f"-o bin/{program} " in part)
            self.links[program] = shlex.split(part)
        return list(self.links[program])

    def link(self, program, changed):
        """The program with that mutant; None where it cannot be linked."""
        words = self.linker(program)
        at = words.index("-o")
        words[at + 1] = str(self.work / program)
        for target in range(len(self.commands[changed.source])):
            own = os.path.relpath(self.object_of(changed.source, target), self.folder)
            if own not in words:
                continue
            made = self.made(changed.source, changed.text, target)
            if made is None:
                return None
            words[words.index(own)] = str(made)
            break
        else:
            words.insert(at, str(changed.object))  # before the archive, whose own is then not asked for
        if shutil.which("ld.lld"):
            words.insert(1, "-fuse-ld=lld")
        ran = subprocess.run(words, cwd=self.folder, capture_output=True, check=False)
        return self.work / program if ran.returncode == 0 else None

    def tests(self, source):
        """The test programs for a source that the folder has."""
        return [name for name in PROGRAMS[layer(source)] if (self.folder / "bin" / name).exists()]

    def needs(self, program):
        """The programs that a mutant must be in before this one's tests can see it."""
        return [program, "bankside"] if program == "headless-tests" else [program]

    def run(self, program, wanted, changed=None, limit=None):
        """Its tests (googletest's filter; empty: all), up to the first that fails; with `changed` inside."""
        shown = {}
        for name in self.needs(program) if changed else []:
            made = self.link(name, changed)
            if made is None:
                return None
            shown[self.folder / "bin" / name] = made
        return self.confined(self.folder / "bin" / program, wanted, shown, limit)

    def confined(self, program, wanted, shown, limit):
        """In a namespace of processes and mounts of its own: a mutant may kill, remove and wait whatever it likes."""
        chosen = wanted + (f"-{self.without}" if self.without else "")
        words = [str(program), "--gtest_fail_fast", "--gtest_brief=1"] + ([f"--gtest_filter={chosen}"] if chosen else [])
        script = [f"mount --bind {shlex.quote(str(made))} {shlex.quote(str(place))}" for place, made in shown.items()]
        script += ["mount -t tmpfs -o size=4g none /tmp", "mount -o remount,bind,ro /", "cd /tmp", shlex.join(words), "exit $?"]
        user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        own = ["unshare", *user, "--mount", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-ec", "\n".join(script)]

        def limits():
            os.setsid()
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: nothing goes on when this program ends
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if limit:
                resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))

        with tempfile.TemporaryFile() as said:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            child = subprocess.Popen(own, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT,
                                     preexec_fn=limits, env={**os.environ, "TMPDIR": "/tmp"})
            slept = self.wait(child)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            said.seek(0)
            text = said.read().decode(errors="replace")
            failed = re.findall(r"^\[  FAILED  \] ([\w/.]+)", text, re.M)
            worked = child.returncode in (137, 152) or bool(limit and seconds > limit and child.returncode)
            return Ending(child.returncode, seconds, failed[0] if failed else last_line(text), slept or worked)

    def wait(self, child):
        """Until it ends; or all of its threads sleep so long that nothing will wake them. Says whether they do."""
        still, used = 0, -1
        while child.poll() is None:
            time.sleep(0.2 if still == 0 else 1)
            threads = tree(child.pid)
            now = sum(ticks for _, ticks in threads)
            still = still + 1 if now == used and all(state in "SZT" for state, _ in threads) else 0
            used = now
            if still >= STILL:
                child.kill()
                child.wait()
                return True
        return False


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1][:120] if lines else ""


def tree(pid):
    """(state, ticks) of every thread of a process and of its descendants."""
    found = []
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:  # it has just ended
        return found
    for thread in threads:
        try:
            fields = (thread / "stat").read_text().rpartition(")")[2].split()
            children = (thread / "children").read_text().split()
        except OSError:
            continue
        found.append((fields[0], int(fields[11]) + int(fields[12])))
        for child in children:
            found += tree(child)
    return found
