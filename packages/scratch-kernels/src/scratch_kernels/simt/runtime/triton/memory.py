"""Device memory as a Triton program sees it: every lane of every access looked at before it happens.

Addresses are made up: buffer i begins at (i + 1) << 40, so that no arithmetic on a pointer reaches another buffer or this
process's own memory. Each granule (an element of the buffer) remembers who wrote it, when, and two programs that read it.
"""

from __future__ import annotations

import sys

import numpy as np

SPACE = 40
"""Bits of address space of one buffer."""
_NOBODY = -1


class Stop(Exception):
    """The launch ends here; the message says why."""


class Buffer:
    """`data`: its bytes. `granule`: bytes of an element."""

    def __init__(self, name, data, granule, tracked):
        self.name, self.data, self.granule, self.tracked = name, data, granule, tracked
        count = -(-data.size // granule)
        self.written = np.zeros(count, bool)
        self.writer = np.full(count, _NOBODY, np.int32)
        self.written_at = np.zeros(count, np.int64)
        self.wrote_atomically = np.zeros(count, bool)
        self.wrote_line = np.zeros(count, np.int32)
        self.wrote_lane = np.zeros(count, np.int32)
        self.wrote_epoch = np.zeros(count, np.int32)
        self.readers = np.full((2, count), _NOBODY, np.int32)
        self.read_at = np.zeros((2, count), np.int64)
        self.read_line = np.zeros((2, count), np.int32)
        self.read_lane = np.zeros(count, np.int32)
        self.read_epoch = np.full(count, -1, np.int32)
        self.load_bytes = self.store_bytes = 0


class Memory:
    """The buffers of one launch, its findings and its counts."""

    def __init__(self, buffers, file, race):
        self.buffers, self.file, self.race = buffers, file, race
        self.program, self.epoch, self.now = 0, 0, 0
        self.seen = {}
        """Program -> when, up to which this program sees what that one wrote."""
        self.released = {}
        """(buffer, byte) -> what those saw who released there."""
        self.rows = {}
        self.loads = self.stores = self.sectors = self.atomics = self.masked = 0

    def begin(self, program):
        """Another program runs from here on."""
        self.program, self.seen = program, {}
        self.epoch += 1

    def line(self):
        """Where in the kernel's file this is."""
        frame = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename == self.file:
                return frame.f_lineno
            frame = frame.f_back
        return 0

    def note(self, kind, buffer, lanes, offsets, other=(), other_lines=(), b=0):
        """Keeps a finding of `kind` at the first of `lanes`, counts the rest. `other`: programs on the other side."""
        name = buffer.name if buffer is not None else ""
        row = self.rows.get(key := (kind, name, line := self.line()))
        if row is None:
            self.rows[key] = {
                "kind": kind, "name": name, "line": line, "program": self.program, "lane": int(lanes[0]), "offset": int(offsets[0]),
                "granule": buffer.granule if buffer is not None else 1, "size": int(buffer.data.size) if buffer is not None else 0,
                "other": int(other[0]) if len(other) else -1, "other_line": int(other_lines[0]) if len(other_lines) else 0, "b": b,
                "count": len(lanes),
            }  # fmt: skip
        else:
            row["count"] += len(lanes)

    def places(self, addresses, mask, size, verb):
        """(buffer, lanes, byte offsets) for the lanes of `mask` that touch a buffer; the others become findings."""
        lanes = np.flatnonzero(mask)
        if not lanes.size:
            return
        addresses = addresses[lanes]
        numbers = addresses >> np.uint64(SPACE)
        for number in (numbers[:1] if (numbers == numbers[0]).all() else np.unique(numbers)).tolist():
            here = numbers == number
            mine, offsets = lanes[here], (addresses[here] & np.uint64((1 << SPACE) - 1)).astype(np.int64)
            # A little before a buffer is the end of the space of the one before it.
            near = offsets >= 1 << SPACE - 1
            owner = int(number) + bool(near.all()) - 1
            if near.all():
                offsets = offsets - (1 << SPACE)
            buffer = self.buffers[owner] if 0 <= owner < len(self.buffers) else None
            if buffer is None:
                self.note(f"wild_{verb}", None, mine, offsets, b=size)
                continue
            inside = (offsets >= 0) & (offsets + size <= buffer.data.size)
            if not inside.all():
                self.note(f"out_of_bounds_{verb}", buffer, mine[~inside], offsets[~inside], b=size)
            aligned = offsets % size == 0
            if not (good := inside & aligned).all():
                if (inside & ~aligned).any():
                    self.note("misaligned", buffer, mine[inside & ~aligned], offsets[inside & ~aligned], b=size)
                mine, offsets = mine[good], offsets[good]
            if mine.size:
                yield buffer, mine, offsets

    def load(self, addresses, mask, out):
        """Reads the lanes of `mask` into `out`, which is flat."""
        size = out.dtype.itemsize
        self.now += 1
        self.masked += int(mask.size - np.count_nonzero(mask))
        for buffer, lanes, offsets in self.places(addresses, mask, size, "read"):
            values = buffer.data[: buffer.data.size // size * size].view(out.dtype)[offsets // size]
            if out.dtype == np.bool_:
                values = buffer.data[offsets] != 0
            out[lanes] = values
            buffer.load_bytes += lanes.size * size
            self.loads += lanes.size
            self.count_sectors(offsets, size)
            self.reading(buffer, lanes, offsets, size)

    def store(self, addresses, values, mask):
        """Writes the lanes of `mask`; `values` is flat."""
        size = values.dtype.itemsize
        self.now += 1
        self.masked += int(mask.size - np.count_nonzero(mask))
        for buffer, lanes, offsets in self.places(addresses, mask, size, "write"):
            chosen = values[lanes]
            view = buffer.data[: buffer.data.size // size * size].view(values.dtype)
            index = offsets // size
            same = chosen.view(f"u{size}") == view[index].view(f"u{size}")
            self.writing(buffer, lanes, offsets, size, same)
            if lanes.size > 1 and not (np.diff(offsets) > 0).all():
                self.one_store(buffer, lanes, offsets, chosen)
            view[index] = chosen
            buffer.store_bytes += lanes.size * size
            self.stores += lanes.size
            self.count_sectors(offsets, size)

    def one_store(self, buffer, lanes, offsets, values):
        """Lanes of one store that meet in a place: which of them is last, nobody knows."""
        order = np.argsort(offsets, kind="stable")
        offsets, lanes, raw = offsets[order], lanes[order], values[order].view(f"u{values.dtype.itemsize}")
        twice = (offsets[1:] == offsets[:-1]) & (raw[1:] != raw[:-1])
        if twice.any():
            self.note("lanes_of_one_store", buffer, lanes[1:][twice], offsets[1:][twice])

    def count_sectors(self, offsets, size):
        """32-byte sectors that one access touches."""
        first = offsets >> 5
        if offsets.size > 1 and not (np.diff(first) >= 0).all():
            first = np.sort(first)
        self.sectors += 1 + int(np.count_nonzero(np.diff(first)))

    # Order.

    def granules(self, buffer, lanes, offsets, size):
        """(lanes, granule indices) that an access touches."""
        g = buffer.granule
        if size <= g:
            return lanes, offsets // g
        parts = size // g
        return np.repeat(lanes, parts), (offsets[:, None] // g + np.arange(parts)).reshape(-1)

    def ordered(self, programs, times):
        """Whether this program sees what those did at those times."""
        if not self.seen:
            return np.zeros(len(programs), bool)
        return np.array([self.seen.get(int(p), -1) >= t for p, t in zip(programs, times, strict=True)], bool)

    def reading(self, buffer, lanes, offsets, size, atomic=False):
        lanes, index = self.granules(buffer, lanes, offsets, size)
        if buffer.tracked and not (known := buffer.written[index]).all():
            self.note("uninitialised_read", buffer, lanes[~known], index[~known] * buffer.granule)
        if not self.race:
            return
        writer = buffer.writer[index]
        foreign = (writer != _NOBODY) & (writer != self.program)
        if atomic:
            foreign &= ~buffer.wrote_atomically[index]
        if foreign.any():
            at = np.flatnonzero(foreign)
            at = at[~self.ordered(writer[at], buffer.written_at[index[at]])]
            if at.size:
                self.note(
                    "race_read_after_write",
                    buffer,
                    lanes[at],
                    index[at] * buffer.granule,
                    writer[at],
                    buffer.wrote_line[index[at]],
                )
        own = (writer == self.program) & (buffer.wrote_epoch[index] == self.epoch) & (buffer.wrote_lane[index] != lanes)
        if not atomic and own.any():
            at = np.flatnonzero(own)
            self.note(
                "unordered_in_program",
                buffer,
                lanes[at],
                index[at] * buffer.granule,
                writer[at],
                buffer.wrote_line[index[at]],
            )
        if atomic:
            return
        line = self.line()
        first = buffer.readers[0, index]
        mine = (first == _NOBODY) | (first == self.program)
        for slot, chosen in ((0, mine), (1, ~mine)):
            at = index[chosen]
            buffer.readers[slot, at] = self.program
            buffer.read_at[slot, at] = self.now
            buffer.read_line[slot, at] = line
        buffer.read_lane[index], buffer.read_epoch[index] = lanes, self.epoch

    def writing(self, buffer, lanes, offsets, size, same, atomic=False):
        if self.race:
            touched, index = self.granules(buffer, lanes, offsets, size)
            same = np.repeat(same, index.size // same.size)
            writer = buffer.writer[index]
            foreign = (writer != _NOBODY) & (writer != self.program)
            if atomic:
                foreign &= ~buffer.wrote_atomically[index]
            if foreign.any():
                at = np.flatnonzero(foreign)
                at = at[~self.ordered(writer[at], buffer.written_at[index[at]])]
                for kind, chosen in (("same_value_write", at[same[at]]), ("race_write_after_write", at[~same[at]])):
                    if chosen.size:
                        self.note(
                            kind,
                            buffer,
                            touched[chosen],
                            index[chosen] * buffer.granule,
                            writer[chosen],
                            buffer.wrote_line[index[chosen]],
                        )
            for slot in (0, 1):
                reader = buffer.readers[slot, index]
                foreign = (reader != _NOBODY) & (reader != self.program)
                if foreign.any():
                    at = np.flatnonzero(foreign)
                    at = at[~self.ordered(reader[at], buffer.read_at[slot, index[at]])]
                    if at.size:
                        self.note(
                            "race_write_after_read",
                            buffer,
                            touched[at],
                            index[at] * buffer.granule,
                            reader[at],
                            buffer.read_line[slot, index[at]],
                        )
            if not atomic:
                own = (buffer.read_epoch[index] == self.epoch) & (buffer.read_lane[index] != touched)
                if own.any():
                    at = np.flatnonzero(own)
                    self.note(
                        "unordered_in_program",
                        buffer,
                        touched[at],
                        index[at] * buffer.granule,
                        np.full(at.size, self.program),
                    )
        else:
            touched, index = self.granules(buffer, lanes, offsets, size)
        buffer.written[index] = True
        buffer.writer[index], buffer.written_at[index] = self.program, self.now
        buffer.wrote_atomically[index], buffer.wrote_line[index] = atomic, self.line()
        buffer.wrote_lane[index], buffer.wrote_epoch[index] = touched, self.epoch

    def barrier(self):
        """Orders what this program's lanes do before and after."""
        self.epoch += 1

    def atomic(self, addresses, mask, values, change, acquire, release):
        """`change(old, value) -> new` lane by lane; gives the old values. With order where asked for."""
        size = values.dtype.itemsize
        old = np.zeros_like(values)
        self.now += 1
        for buffer, lanes, offsets in self.places(addresses, mask, size, "write"):
            view = buffer.data[: buffer.data.size // size * size].view(values.dtype)
            if acquire:
                for offset in np.unique(offsets).tolist():
                    for program, time in self.released.get((buffer.name, offset), {}).items():
                        self.seen[program] = max(self.seen.get(program, -1), time)
            self.reading(buffer, lanes, offsets, size, atomic=True)
            self.writing(buffer, lanes, offsets, size, np.zeros(lanes.size, bool), atomic=True)
            for lane, place in zip(lanes.tolist(), (offsets // size).tolist(), strict=True):
                old[lane] = view[place]
                new = change(view[place], values[lane])
                if new is not None:
                    view[place] = new
            if release:
                for offset in np.unique(offsets).tolist():
                    known = self.released.setdefault((buffer.name, offset), {})
                    for program, time in {**self.seen, self.program: self.now}.items():
                        known[program] = max(known.get(program, -1), time)
            buffer.load_bytes += lanes.size * size
            buffer.store_bytes += lanes.size * size
            self.atomics += lanes.size
        return old
