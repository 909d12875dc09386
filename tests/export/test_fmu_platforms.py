"""Binaries of FMUs for other machines: run where their emulators are installed, else inspected."""

from __future__ import annotations

import importlib.util
import os
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from export.fmu_cases import system_of

import axletree as at
from axletree.export.fmu.binaries import PLATFORMS, universal_binary
from axletree.export.fmu.write import write_fmu

CLIENT = Path(__file__).with_name("fmu_client.c")
SYSROOT = Path("/usr/aarch64-linux-gnu")
EMULATED = {
    "x86_64-windows": ("wine64", "wine", "/usr/lib/wine/wine64"),
    "aarch64-linux": ("qemu-aarch64",),
}


@pytest.fixture(scope="module")
def everywhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pendulum for all platforms, unpacked."""
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("ziglang (extra cc) is not installed")
    folder = tmp_path_factory.mktemp("everywhere")
    file = write_fmu(
        at.read_model("pendulum"), folder / "it.fmu", outputs=[], platforms=list(PLATFORMS)
    )
    with zipfile.ZipFile(file) as archive:
        archive.extractall(folder)
    return folder


@pytest.mark.long
@pytest.mark.parametrize("platform", EMULATED)
def test_the_binary_of_another_machine_moves_alike(platform: str, everywhere: Path) -> None:
    emulator = next(filter(None, map(shutil.which, EMULATED[platform])), None)
    if emulator is None:
        pytest.skip(f"{EMULATED[platform][0]} is not installed")
    if platform == "aarch64-linux" and not SYSROOT.is_dir():
        pytest.skip("libraries of aarch64 are not installed")
    one = PLATFORMS[platform]
    client = everywhere / ("client.exe" if one.ending == "dll" else "client")
    subprocess.run(
        [sys.executable, "-m", "ziglang", "cc", "-target", one.target, "-I", "sources",
         "-o", str(client), str(CLIENT)], cwd=everywhere, check=True,
    )  # fmt: skip
    root = ElementTree.parse(everywhere / "modelDescription.xml").getroot()
    (angle,) = (v for v in root.iter("ScalarVariable") if v.get("name") == "pin.angle")
    command = [emulator, *(["-L", str(SYSROOT)] if one.ending == "so" else [])]
    binary = f"binaries/{one.folder_2}/pendulum.{one.ending}"
    around = {**os.environ, "WINEPREFIX": str(everywhere / "wine"), "WINEDEBUG": "-all"}
    if one.ending == "dll":  # its folder is made first, which fails now and then
        subprocess.run([emulator, "wineboot", "--init"], env=around, capture_output=True)
        if subprocess.run(
            [emulator, "cmd", "/c", "ver"], env=around, capture_output=True
        ).returncode:
            pytest.skip("wine does not start")
    words = [root.get("guid", ""), angle.get("valueReference", ""), "50"]
    said = subprocess.run(
        [*command, str(client), binary, *words],
        cwd=everywhere, check=True, capture_output=True, text=True,
        env=around,
    ).stdout.split()  # fmt: skip
    own = system_of("pendulum").stepper(step=0.01, parts=10, outputs=[])
    own.advance(steps=50)
    assert said[0] == "0"
    assert float(said[1]) == pytest.approx(own["pin.angle"], rel=1e-13)


@pytest.mark.long
def test_the_binary_of_a_mac_holds_both_processors(everywhere: Path) -> None:
    """Inspected, not run: nothing here runs it."""
    content = (everywhere / "binaries/darwin64/pendulum.dylib").read_bytes()
    magic, count = struct.unpack_from(">II", content)
    assert (magic, count) == (0xCAFEBABE, 2)
    processors = set()
    for k in range(count):
        processor, _, offset, size, _ = struct.unpack_from(">IIIII", content, 8 + 20 * k)
        part = content[offset : offset + size]
        own_magic, own_processor, _, kind = struct.unpack_from("<IIII", part)
        assert (own_magic, own_processor, kind) == (0xFEEDFACF, processor, 6)  # 64 bit, MH_DYLIB
        assert b"_fmi2DoStep\0" in part
        processors.add(processor)
    assert processors == {0x01000007, 0x0100000C}  # x86_64, arm64


def test_parts_of_a_universal_binary_stand_on_pages() -> None:
    parts = [struct.pack("<III", 0xFEEDFACF, kind, 3) + bytes(20_000) for kind in (7, 12)]
    whole = universal_binary(parts)
    for k, part in enumerate(parts):
        _, _, offset, size, power = struct.unpack_from(">IIIII", whole, 8 + 20 * k)
        assert offset % 2**power == 0
        assert whole[offset : offset + size] == part
