"""What the compiled loops do, written with OpenCV and numpy as plainly as it goes: what they are held against."""

from math import hypot, pi

import cv2
import numpy as np

from vision.compiled import changes, under
from vision.pips import Pip, is_echo
from vision.types import Doubles, Floats, Frame, Gray, Planes, as_uint8


def spread(gray: Gray, mask: Gray, least: float) -> Gray:
    used = np.sort(gray[mask > 0])
    low, middle, high = (int(used[max(0, int(np.ceil(part * len(used))) - 1)]) for part in (0.005, 0.5, 0.995))
    levels = np.round(255 * np.clip((np.arange(256) - low) / max(high - low, least), 0, 1)).astype(np.uint8)
    return np.where(mask > 0, levels[gray], levels[middle])


def round_spots(gray: Gray, cuts: int, low: float, high: float, least: int) -> Doubles:
    spots = [spot for k in range(1, cuts + 1) for spot in _spots_at(gray, k * 256 / (cuts + 1), low, high)]
    kept: list[tuple[float, ...]] = []
    for dark in (False, True):
        groups: list[list[tuple[float, ...]]] = []
        for spot in (spot for spot in spots if spot[4] == dark):
            same = (g for g in groups if hypot(spot[0] - g[0][0], spot[1] - g[0][1]) < 0.3 * g[0][2])
            own = next((g for g in same if 1 / 1.6 < spot[2] / g[0][2] < 1.6), None)
            groups.append([spot]) if own is None else own.append(spot)
        own_kept: list[tuple[float, ...]] = []
        for group in sorted(groups, key=len, reverse=True):
            x, y, diameter, roundness, _ = (sorted(column)[len(group) // 2] for column in zip(*group, strict=True))
            pip = Pip(x, y, diameter, roundness, dark, len(group))
            echo = any(is_echo(pip, Pip(o[0], o[1], o[2], o[3], dark, 0)) for o in own_kept)
            if len(group) >= least and not echo:
                own_kept.append((x, y, diameter, roundness, float(dark), float(len(group))))
        kept += own_kept
    return np.array(kept, np.float64).reshape(-1, 6)


def _spots_at(gray: Gray, level: float, low: float, high: float) -> list[tuple[float, ...]]:
    cut = cv2.threshold(gray, level, 255, cv2.THRESH_BINARY)[1]
    contours, tree = cv2.findContours(cut, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    spots: list[tuple[float, ...]] = []
    for contour, (_, _, _, parent) in zip(contours, [] if tree is None else tree[0], strict=True):
        area, length, dark = cv2.contourArea(contour), len(contour), parent >= 0
        if not (2 * low < length < 4.5 * high and 0.6 * low * low < area < 0.9 * high * high):
            continue
        told = cv2.moments(cv2.convexHull(contour))
        if area < 0.035 * length**2 or area < 0.75 * told["m00"]:
            continue
        a, b, c = (told[name] / told["m00"] for name in ("mu20", "mu11", "mu02"))
        middle, by = (a + c) / 2, hypot((a - c) / 2, b)
        minor, major = 2 * max(middle - by, 0.0) ** 0.5, 2 * (middle + by) ** 0.5
        diameter = 2 * (minor * major) ** 0.5 + (-1 if dark else 1)
        is_ellipse = minor >= 0.25 * major and abs(pi * minor * major / told["m00"] - 1) <= 0.12
        if is_ellipse and low <= diameter <= high:
            spots.append((told["m10"] / told["m00"], told["m01"] / told["m00"], diameter, minor / major, dark))
    return spots


def colours_under(lab: Frame, layout: Doubles, pips: Doubles) -> Doubles:
    """Return what is told of one layout; *pips* are its own alone."""
    x, y, turn, side, diameter, sign = layout

    def seen(places: Doubles) -> Doubles:
        c, s = np.cos(turn) * side, np.sin(turn) * side
        columns = np.clip(x + c * places[:, 0] - s * places[:, 1] + 0.5, 0, lab.shape[1] - 1).astype(int)
        rows = np.clip(y + s * places[:, 0] + c * places[:, 1] + 0.5, 0, lab.shape[0] - 1).astype(int)
        return np.asarray(lab[rows, columns], np.float64)

    axis = np.linspace(-under.INNER, under.INNER, under.GRID)
    grid = np.stack(np.meshgrid(axis, axis), axis=2).reshape(-1, 2)
    away = np.hypot(*np.moveaxis(grid[:, None] - pips[None], 2, 0)).min(axis=1)
    free, face = away > under.CLEARANCE * diameter, seen(grid)
    colour = _upper(face[::2][free[::2]]) if free[::2].any() else np.full(3, 1e4)
    delta = np.array([seen(pip + np.array(under.SPOT) * diameter).mean(axis=0) for pip in pips]) - colour
    contrasts = np.sort(sign * delta[:, 0] + np.hypot(delta[:, 1], delta[:, 2]) / 2)
    contrast = contrasts[0]
    light, chroma = face[:, 0] - colour[0], np.hypot(*(face[:, 1:] - colour[1:]).T)
    shade = max(14 + 0.12 * colour[0], 0.3 * contrast)
    paler = 12 + 0.15 * max(contrast, 0) + 0.25 * np.clip(light, 0, 60)
    alike = (light > -shade) & (light < 2.2 * shade) & (chroma < paler) & free
    central = free & (np.abs(grid).max(axis=1) < under.CENTRAL)
    size = max(3, round(0.75 * diameter / (axis[1] - axis[0])))
    like_pip = (central & (sign * light > 0.5 * contrast)).reshape(under.GRID, -1).astype(np.float64)
    density = cv2.blur(like_pip, (size, size), borderType=cv2.BORDER_CONSTANT).ravel()
    edges = []
    for out in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        inside, outside = (
            seen(np.array([np.multiply(out, far) + np.abs(out[::-1]) * a for far in band for a in under.ALONG]))
            for band in (under.RIM, under.OUTSIDE)
        )
        noise = _upper(np.abs(outside - _upper(outside))).sum()
        edges.append(min(1.0, np.linalg.norm(_upper(outside) - _upper(inside)) / (12 + 1.5 * noise)))
    evenness = contrast / max(contrasts[len(contrasts) // 2], 1.0)
    stranger = np.where(central, density, 0).max()
    return np.array([*colour, alike.sum() / max(1, free.sum()), *edges, contrast, evenness, stranger])


def _upper(rows: Doubles) -> Doubles:
    return np.asarray(np.sort(rows, axis=0)[len(rows) // 2], np.float64)


def changes_between(now: Planes, then: Planes, gain: Floats, floor: float) -> Planes:
    """Return changed, body, darker and delta."""
    lit = np.clip(then.astype(np.float32) * gain[:, None, None] + np.float32(0.5), 0, 255).astype(np.uint8)
    by = now.astype(int) - lit
    delta = np.abs(by).max(axis=0)
    least = np.minimum(np.float32(floor) + np.float32(0.12) * lit.max(axis=0).astype(np.float32), 255).astype(int)
    changed = delta > least
    a, b = now.astype(np.float32), lit.astype(np.float32)
    says = (b > changes.DIM * b.max(axis=0)) | (np.abs(a - b) > 8)
    ratio = (a + changes.DARK) / (b + changes.DARK)
    low, high = np.where(says, ratio, np.inf).min(axis=0), np.where(says, ratio, 0).max(axis=0)
    darker = changed & (by.max(axis=0) <= 8) & (high < changes.DARKER)
    shadow = darker & (low > changes.DEEPEST) & (np.where(darker, high - low, 0) < changes.OF_ONE_COLOUR)
    masks = (np.where(mask, 255, 0) for mask in (changed, changed & ~shadow, darker))
    return np.stack([*masks, delta]).astype(np.uint8)


def steepness(gray: Gray, window: Floats, steepest: float, scale: float) -> Floats:
    across, down = (cv2.Sobel(gray, cv2.CV_32F, *order, ksize=3) for order in ((1, 0), (0, 1)))
    return np.asarray(np.minimum(cv2.magnitude(across, down), np.float32(steepest)) * window * np.float32(scale))


def turn_scores(lab: Frame, places: Floats, normals: Floats, x: float, y: float, side: float) -> Doubles:
    across, down = (np.asarray(cv2.Sobel(lab, cv2.CV_32F, dx, 1 - dx)) for dx in (1, 0))
    pixels = np.rint(places * np.float32(side) + np.array([x, y])).astype(int)
    rows, columns = (np.clip(pixels[..., k], 0, lab.shape[1 - k] - 1) for k in (1, 0))
    cos, sin = (normals[:, :, None, None, k, None] for k in (0, 1))
    steep = np.abs(across[rows, columns] * cos + down[rows, columns] * sin).max(axis=-1)
    return np.asarray(np.sqrt(steep.mean(axis=3).max(axis=2)).sum(axis=1), np.float64)


def crossed(light: Gray, pips: Doubles, ways: Doubles, radii: Doubles) -> Doubles:
    slopes = [np.asarray(cv2.Sobel(light, cv2.CV_64F, *order), np.float64) for order in ((1, 0), (0, 1))]
    steep = np.zeros(len(ways) // 2)
    for x, y, diameter in pips:
        for number, (cos, sin) in enumerate(ways):
            at = [(x + diameter * far * cos, y + diameter * far * sin) for far in radii]
            most = max(abs(cos * _between(slopes[0], *p) + sin * _between(slopes[1], *p)) for p in at)
            steep[number % len(steep)] += most
    return steep


def _between(picture: Doubles, x: float, y: float) -> float:
    x, y = np.clip(x, 0, picture.shape[1] - 1), np.clip(y, 0, picture.shape[0] - 1)
    left, top = min(int(x), picture.shape[1] - 2), min(int(y), picture.shape[0] - 2)
    along_x, along_y = np.array([1 - (x - left), x - left]), np.array([1 - (y - top), y - top])
    return float(along_y @ picture[top : top + 2, left : left + 2] @ along_x)


def windows(layers: Floats, size: int) -> Floats:
    edge, half = size // 2, layers.shape[1] // 2
    padded = np.pad(layers, ((0, 0), (edge, edge), (edge, edge), (0, 0)))
    seen = [[padded[:, 2 * r : 2 * r + size, 2 * c : 2 * c + size] for c in range(half)] for r in range(half)]
    return np.moveaxis(np.array(seen), 2, 0).reshape(len(layers), half, half, size, -1)


def like_colour(lab: Frame, light: float, a: float, b: float, error: float, lightest: float) -> Gray:
    shade, *chroma = np.moveaxis(lab.astype(np.float64), 2, 0)
    off = [seen - 128 - shade * (of - 128) / light for seen, of in zip(chroma, (a, b), strict=True)]
    return as_uint8(np.where((np.hypot(*off) <= error) & (shade <= lightest), 255, 0))
