"""Still pictures from disk: every kind comes out as one kind of frame, everything else as one clear line."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from hardware.devices import HardwareError
from hardware.pictures import MAX_BYTES, PictureError, load_picture


def scene(rows: int = 60, columns: int = 80) -> npt.NDArray[np.uint8]:
    """A small picture without symmetry, blue-green-red."""
    y, x = np.mgrid[0:rows, 0:columns]
    return np.stack([x * 255 // columns, y * 255 // rows, (x + 2 * y) % 256], axis=2).astype(np.uint8)


def written(path: Path, image: npt.NDArray[np.integer[Any]]) -> Path:
    assert cv2.imwrite(str(path), image)
    return path


def line_of(path: Path) -> str:
    """Return the one line that says what is wrong with *path*."""
    with pytest.raises(PictureError) as caught:
        load_picture(path)
    line = str(caught.value)

    assert isinstance(caught.value, HardwareError)
    assert "\n" not in line
    assert line.startswith(str(path))
    return line


@pytest.mark.parametrize("suffix", [".png", ".bmp", ".tiff", ".ppm"])
def test_a_colour_picture_is_read_to_the_last_value(tmp_path: Path, suffix: str) -> None:
    frame = load_picture(written(tmp_path / f"a{suffix}", scene()))

    assert frame.dtype == np.uint8
    assert frame.flags.c_contiguous
    assert frame.flags.writeable
    assert (frame == scene()).all()


@pytest.mark.parametrize("suffix", [".jpg", ".webp"])
def test_a_compressed_picture_is_what_opencv_reads(tmp_path: Path, suffix: str) -> None:
    path = written(tmp_path / f"a{suffix}", scene())
    expected = cv2.imread(str(path))

    assert expected is not None
    assert np.abs(load_picture(path).astype(int) - expected).max() <= 1


def test_a_grey_picture_becomes_three_equal_channels(tmp_path: Path) -> None:
    grey = scene()[:, :, 2]

    assert (load_picture(written(tmp_path / "a.png", grey)) == grey[:, :, np.newaxis]).all()


@pytest.mark.parametrize("suffix", [".png", ".tiff"])
@pytest.mark.parametrize("channels", [1, 3])
def test_of_16_bits_the_high_8_are_kept(tmp_path: Path, suffix: str, channels: int) -> None:
    deep = (scene().astype(np.uint16) << 8 | 0xAB)[:, :, :channels]
    expected = scene() if channels == 3 else scene()[:, :, :1]

    assert (load_picture(written(tmp_path / f"a{suffix}", deep)) == expected).all()


def test_transparency_is_dropped(tmp_path: Path) -> None:
    four = np.dstack([scene(), scene()[:, :, 0]])

    assert (load_picture(written(tmp_path / "a.png", four)) == scene()).all()


def test_a_palette_with_transparent_colours_is_read(tmp_path: Path) -> None:
    picture = Image.new("P", (8, 8), 1)
    picture.putpalette([0, 0, 0, 255, 0, 0])
    picture.save(tmp_path / "a.png", transparency=b"\x00\x80")

    assert (load_picture(tmp_path / "a.png") == (0, 0, 255)).all()


def test_a_cmyk_photograph_is_read_as_colour(tmp_path: Path) -> None:
    Image.new("CMYK", (16, 16), (0, 255, 255, 0)).save(tmp_path / "a.jpg")
    blue, green, red = load_picture(tmp_path / "a.jpg")[8, 8].tolist()

    assert red > 200
    assert blue < 60
    assert green < 60


def test_of_an_animation_the_first_picture_is_read(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    frames[0].save(tmp_path / "a.gif", save_all=True, append_images=frames[1:])

    assert (load_picture(tmp_path / "a.gif") == (0, 0, 255)).all()


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_picture_stands_upright_as_opencv_turns_it(tmp_path: Path, orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.fromarray(scene()).save(tmp_path / "a.jpg", exif=exif)
    expected = cv2.imread(str(tmp_path / "a.jpg"))
    frame = load_picture(tmp_path / "a.jpg")

    assert expected is not None
    assert frame.shape == expected.shape
    assert np.abs(frame.astype(int) - expected).max() <= 1
    assert frame.flags.c_contiguous


@pytest.mark.parametrize(
    "exif", [b"Exif\x00\x00II*\x00\xff\xff\xff\xff", b"Exif\x00\x00rubbish"], ids=["far", "rubbish"]
)
def test_rubbish_beside_the_picture_does_not_matter(tmp_path: Path, exif: bytes) -> None:
    Image.fromarray(scene()).save(tmp_path / "a.jpg", exif=exif)

    assert load_picture(tmp_path / "a.jpg").shape == (60, 80, 3)


def test_a_photograph_is_to_the_last_value_what_opencv_reads(shared: Path) -> None:
    photos = sorted((shared / "dice-photos" / "photos").rglob("*.jpg"))
    assert photos
    for path in photos[:: len(photos) // 8]:
        expected = cv2.imread(str(path))

        assert expected is not None
        assert (load_picture(path) == expected).all(), path


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".bmp", ".tiff", ".webp", ".gif", ".ppm"])
@pytest.mark.parametrize("part", [0.1, 0.5, 0.97])
def test_a_picture_that_was_cut_off_is_refused(tmp_path: Path, suffix: str, part: float) -> None:
    path = tmp_path / f"a{suffix}"
    rng = np.random.default_rng(1)
    Image.fromarray(rng.integers(0, 256, (64, 64, 3), np.uint8)).save(path)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * part)])

    assert "damaged or cut off" in line_of(path) or "not a picture" in line_of(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert "there is no such file" in line_of(tmp_path / "none.jpg")


def test_a_folder_is_not_a_picture(tmp_path: Path) -> None:
    assert "is a folder" in line_of(tmp_path)


def test_an_empty_file_is_not_a_picture(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").touch()

    assert "is empty (0 bytes)" in line_of(tmp_path / "a.jpg")


@pytest.mark.parametrize("data", [b"hello", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"BM" + b"\0" * 60, b"\0" * 5000])
def test_a_file_of_something_else_is_not_a_picture(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.jpg").write_bytes(data)

    assert "allowed are JPEG, PNG" in line_of(tmp_path / "a.jpg") or "damaged" in line_of(tmp_path / "a.jpg")


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "a.png", scene())

    def forbidden(*_: object, **__: object) -> None:
        # Root may read everything: the refusal of the system is played.
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbidden)

    assert "may not be read" in line_of(path)


@pytest.mark.parametrize("name", ["a\0b.jpg", "n" * 5000 + ".jpg"])
def test_an_impossible_name_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(PictureError, match="cannot be read"):
        load_picture(name)


def test_a_loop_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").symlink_to(tmp_path / "a.jpg")

    assert "cannot be read" in line_of(tmp_path / "a.jpg")


def test_fractional_pixels_are_refused(tmp_path: Path) -> None:
    Image.fromarray(np.ones((8, 8), np.float32)).save(tmp_path / "a.tiff")

    assert "allowed are 8 or 16 bits" in line_of(tmp_path / "a.tiff")


def test_32_bit_pixels_are_refused(tmp_path: Path) -> None:
    Image.fromarray(np.full((8, 8), 1 << 20, np.int32)).save(tmp_path / "a.tiff")

    assert "allowed are 8 or 16" in line_of(tmp_path / "a.tiff")


def png_of(columns: int, rows: int) -> bytes:
    """Return a PNG that claims a size and holds next to nothing."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", columns, rows, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(12_001, 10_000), (60_000, 60_000), (2**31 - 1, 2**31 - 1)])
def test_a_picture_of_an_absurd_size_is_refused_before_it_is_decoded(tmp_path: Path, size: tuple[int, int]) -> None:
    (tmp_path / "a.png").write_bytes(png_of(*size))

    assert "at most 120 megapixels" in line_of(tmp_path / "a.png")


def test_a_huge_file_is_refused_without_reading_it_all(tmp_path: Path) -> None:
    with (tmp_path / "a.jpg").open("wb") as file:
        file.truncate(MAX_BYTES + 1)  # a hole: it takes no room on the disk

    assert "larger than 256 MB" in line_of(tmp_path / "a.jpg")


@pytest.mark.slow
def test_a_hundred_megapixels_are_read_in_bounded_memory(tmp_path: Path) -> None:
    Image.new("L", (10_000, 10_000), 77).save(tmp_path / "a.jpg", quality=30)
    # Not ru_maxrss: that outlives fork and exec, and would tell the peak of the test runner that started the child.
    script = (
        "import pathlib, re, sys; from hardware.pictures import load_picture; frame = load_picture(sys.argv[1]);"
        "peak = re.search(r'VmHWM:\\s*(\\d+) kB', pathlib.Path('/proc/self/status').read_text())[1];"
        "print(frame.shape, frame[5000, 5000], int(peak) // 1024)"
    )
    run = subprocess.run([sys.executable, "-c", script, str(tmp_path / "a.jpg")], capture_output=True, text=True)
    *seen, megabytes = run.stdout.split()

    assert seen == ["(10000,", "10000,", "3)", "[77", "77", "77]"]
    assert int(megabytes) < 900


def test_nothing_is_printed_about_a_damaged_picture(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    Image.fromarray(scene(200, 200)).save(buffer, "JPEG")
    data = bytearray(buffer.getvalue())
    data[700:720] = b"\xff\x00\x12\xff\x77" * 4
    (tmp_path / "hurt.jpg").write_bytes(data)
    (tmp_path / "cut.png").write_bytes(png_of(50, 50))
    script = (
        "import sys; from hardware.pictures import *\n"
        "for path in sys.argv[1:]:\n    try: load_picture(path)\n    except PictureError: pass"
    )
    paths = [str(path) for path in sorted(tmp_path.iterdir())]
    run = subprocess.run([sys.executable, "-W", "default", "-c", script, *paths], capture_output=True, text=True)

    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
