"""Packs what train.py made: python3 write.py TRAINED.npz ROWS.txt assets/languages.bin (format: src/search/embed-languages.ts)."""
import hashlib
import sys

import numpy

trained, rows_path, out = sys.argv[1:]
found = numpy.load(trained)
codes, books, lengths = found["codes"], found["books"], found["lengths"]
rows = open(rows_path, encoding="utf8").read().split("\n")[: len(codes)]
groups, size, step = books.shape
assert size == 256 and len(rows) == len(codes)
scales = (lengths.astype(numpy.float32) * found["scale"]).astype("<f4")
spelt = "\n".join(rows).encode("utf-16-le")
body = scales.tobytes() + books.astype("i1").tobytes() + codes.astype("u1").tobytes() + spelt
head = b"LORELNG1" + numpy.array([len(rows), groups * step, groups, len(spelt) // 2], "<u4").tobytes()
open(out, "wb").write(head + hashlib.sha256(head + body).digest()[:8] + body)
print(len(rows), "rows", len(head) + 8 + len(body), "bytes")
