"""Writes small GeoTIFF files byte by byte, as tests need no library for it: strips or tiles, any byte order, plain or deflated."""
import struct
import zlib

import numpy

FORMATS = {"u": 1, "i": 2, "f": 3}          # of tag 339
TYPES = {2: "c", 3: "H", 4: "I", 12: "d"}   # text, two bytes, four bytes, double


def geotiff(values, west, north, cell, order="<", tile=None, strip=None, deflate=False, nodata=None, point=False, model="projected", keys=(),
            transformation=None, placed=True, metadata="", bands=1, mask=False, sparse=()):
    """`values` are rows from the north; (west, north): the outer corner of the first cell, with `point` its centre. `sparse`: blocks left out."""
    values = numpy.ascontiguousarray(values)
    rows, columns = values.shape[:2]
    kind = values.dtype.newbyteorder(order)
    tags = {256: (4, [columns]), 257: (4, [rows]), 258: (3, [8 * kind.itemsize] * bands), 259: (3, [8 if deflate else 1]), 262: (3, [1]),
            277: (3, [bands]), 284: (3, [1]), 339: (3, [FORMATS[kind.kind]] * bands)}
    blocks = []
    if tile:
        tags[322], tags[323] = (3, [tile]), (3, [tile])
        for i in range(0, rows, tile):
            for j in range(0, columns, tile):
                block = numpy.zeros((tile, tile), kind)
                part = values[i:i + tile, j:j + tile]
                block[:part.shape[0], :part.shape[1]] = part
                blocks.append(block.tobytes())
    else:
        strip = strip or rows
        tags[278] = (4, [strip])
        blocks = [values[i:i + strip].astype(kind).tobytes() for i in range(0, rows, strip)]
    if deflate:
        blocks = [zlib.compress(block, 1) for block in blocks]
    geo = {1024: {"projected": 1, "geographic": 2}[model], 1025: 2 if point else 1} | dict(keys)
    tags[34735] = (3, [1, 1, 0, len(geo)] + [n for key in sorted(geo) for n in (key, 0, 1, geo[key])])
    if transformation:
        tags[34264] = (12, transformation)
    elif placed:
        tags[33550], tags[33922] = (12, [cell, cell, 0]), (12, [0, 0, 0, west, north, 0])
    if not placed:
        del tags[34735]
    if nodata is not None:
        tags[42113] = (2, nodata)
    if metadata:
        tags[42112] = (2, f"<GDALMetadata>{metadata}</GDALMetadata>")
    if bands > 1:
        tags[338] = (3, [0] * (bands - 1))
    offsets, counts = (324, 325) if tile else (273, 279)
    tags[offsets], tags[counts] = (4, [0] * len(blocks)), (4, [0 if i in sparse else len(block) for i, block in enumerate(blocks)])

    def encoded(kind, numbers):
        if kind == 2:
            return numbers.encode() + b"\0"
        return struct.pack(f"{order}{len(numbers)}{TYPES[kind]}", *numbers)

    def directory(first_block):
        at, data = first_block, []
        for i, block in enumerate(blocks):
            data.append(0 if i in sparse else at)
            at += 0 if i in sparse else len(block)
        tags[offsets] = (4, data)
        entries, behind = b"", b""
        start = 8 + 2 + 12 * len(tags) + 4
        for tag in sorted(tags):
            kind, numbers = tags[tag]
            raw = encoded(kind, numbers)
            count = len(raw) if kind == 2 else len(numbers)
            if len(raw) > 4:
                behind += b"\0" * (len(behind) % 2)
                raw, behind = struct.pack(order + "I", start + len(behind)), behind + raw
            entries += struct.pack(order + "HHI", tag, kind, count) + raw.ljust(4, b"\0")
        return struct.pack(order + "H", len(tags)) + entries + struct.pack(order + "I", 0) + behind

    head = (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, 8)
    first_block = 8 + len(directory(0))
    return head + directory(first_block) + b"".join(block for i, block in enumerate(blocks) if i not in sparse)
