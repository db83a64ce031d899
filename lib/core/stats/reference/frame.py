"""Writes the figures of a script as JSON on standard output, with the versions that they were computed on."""

import json
import platform
import sys
from importlib.metadata import version


def write(packages: list[str], **figures) -> None:
    versions = {"python": platform.python_version()} | {package: version(package) for package in packages}
    json.dump({"versions": versions, **figures}, sys.stdout, separators=(",", ":"))
    sys.stdout.write("\n")
