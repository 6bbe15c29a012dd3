#!/usr/bin/env python3
"""What programs are made of, as CycloneDX 1.5 JSON on the standard output:
  sbom.py --version 0.1.0 build/bin/bankside build/lib/libbankside.so > bankside.cdx.json
Shared libraries are those that the loader takes; their packages and versions are what dpkg says. Of what leaves no
library behind, headers alone, the package is named. The same programs on the same system give the same bytes.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import urllib.parse

HEADERS = ["libcli11-dev", "libhwy-dev", "nlohmann-json3-dev"]


def said(*words):
    run = subprocess.run(words, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"sbom: {' '.join(words)}: {run.stderr.strip() or 'failed'}")
    return run.stdout


def libraries_of(program):
    """The shared libraries that the loader would take, as real paths."""
    lines = said("ldd", str(program)).splitlines()
    missing = [line.strip() for line in lines if "not found" in line]
    if missing:
        sys.exit(f"sbom: {program}: {missing[0]}")
    found = [re.search(r"(/\S+) \(0x", line) for line in lines]
    return {pathlib.Path(match.group(1)).resolve() for match in found if match}


def packages_of(libraries):
    """Merged /usr: dpkg may know a file by its other name."""
    names = {str(each).removeprefix(prefix): each for each in libraries for prefix in ("/usr", "")}
    said_of = subprocess.run(["dpkg", "-S", *names], capture_output=True, text=True)
    owners = dict(reversed(line.split(": ", 1)) for line in said_of.stdout.splitlines())
    found = {names[name]: packages.split(",")[0] for name, packages in owners.items() if name in names}
    for library in sorted(libraries):
        if library not in found:
            sys.exit(f"sbom: no package has {library}")
    return set(found.values())


def component(package, system):
    fields = "${binary:Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}"
    name, version, architecture, source, source_version = said("dpkg-query", "-W", f"-f={fields}", package).split("\t")
    name = name.split(":")[0]
    quoted = urllib.parse.quote(version, safe="~")
    url = f"pkg:deb/{system}/{name}@{quoted}?arch={architecture}"
    properties = {"deb:source": source, "deb:source-version": source_version}
    return {
        "type": "library", "bom-ref": url, "name": name, "version": version, "purl": url,
        "properties": [{"name": key, "value": value} for key, value in properties.items()],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--version", required=True)
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    given = parser.parse_args()
    release = dict(re.findall(r'^(\w+)="?([^"\n]*)', pathlib.Path("/etc/os-release").read_text(), re.M))
    own = {program.resolve() for program in given.programs}
    libraries = set().union(*(libraries_of(program) for program in sorted(own))) - own
    strangers = {each for each in libraries if not each.name.startswith("libbankside")}
    packages = packages_of(strangers) | set(HEADERS)
    components = sorted((component(name, release["ID"]) for name in packages), key=lambda each: each["name"])
    files = [
        {"type": "file", "bom-ref": f"file:{path.name}", "name": path.name}
        for path in sorted(own, key=lambda each: each.name)
    ]
    root = {"type": "application", "bom-ref": "bankside", "name": "bankside", "version": given.version,
            "licenses": [{"license": {"id": "Apache-2.0"}}]}
    json.dump({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": root,
                     "properties": [{"name": "system", "value": release["PRETTY_NAME"]}]},
        "components": files + components,
        "dependencies": [{"ref": "bankside", "dependsOn": [each["bom-ref"] for each in files + components]}],
    }, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
