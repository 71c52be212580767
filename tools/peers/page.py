"""The table, the page and the CSV of a contest."""
import csv
import dataclasses
import io
import math
import statistics


def number(value):
    if value != value:
        return "-"
    if value == 0:
        return "0"
    if math.isinf(value):
        return "inf"
    return f"{value:.3g}" if 1e-3 <= abs(value) < 1e5 else f"{value:.1e}"


def seconds(value):
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size or unit == "us":
            return f"{value / size:.3g} {unit}"


COLUMNS = [
    "code",
    "bodies",
    "contacts",
    "step",
    "time a step",
    "time a body and simulated second",
    "times scree (lowest, highest)",
    "sweeps",
    "residual",
    "velocity error [m/s]",
    "overlap added [m]",
    "energy created [m]",
]


class Report:
    def __init__(self, rows, versions, scenes, rounds, loads):
        self.rows, self.versions, self.scenes, self.rounds, self.loads = (
            rows,
            versions,
            scenes,
            rounds,
            loads,
        )

    def of(self, scene, code):
        return [
            row for row in self.rows if (row.scene, row.code) == (scene, code) and not row.failure
        ]

    def ratio(self, scene, code):
        """Of a code's time a simulated second to scree's, round by round."""
        ours = {row.round: row for row in self.of(scene, "scree")}
        ratios = [
            row.seconds_grain_second / ours[row.round].seconds_grain_second
            for row in self.of(scene, code)
            if row.round in ours
        ]
        return (statistics.median(ratios), min(ratios), max(ratios)) if ratios else None

    def line(self, scene, code):
        rows = self.of(scene, code)
        if not rows:
            failure = next(
                row.failure for row in self.rows if (row.scene, row.code) == (scene, code)
            )
            return [code, *["-"] * 10, f"failed: {failure}"]
        row, ratio = rows[0], self.ratio(scene, code)
        middle = statistics.median(row.seconds_step for row in rows)
        return [
            code,
            str(row.bodies),
            str(row.contacts),
            f"{1e3 * row.dt:g} ms",
            seconds(middle),
            seconds(middle / row.dt / row.bodies),
            "-" if ratio is None else "{} ({}, {})".format(*map(number, ratio)),
            number(row.sweeps),
            number(row.residual),
            number(row.velocity_error),
            number(row.overlap_added),
            number(row.energy_created),
        ]

    def blocks(self):
        """(title, lines) of each scene."""
        for name, scene in self.scenes.items():
            present = list(dict.fromkeys(row.code for row in self.rows if row.scene == name))
            yield f"{name}: {scene.what}", [self.line(name, code) for code in present]

    def notes(self):
        lines = [f"{code}: {version}." for code, version in self.versions.items()]
        load = f"{min(self.loads):.1f} to {max(self.loads):.1f}"
        text = f"{self.rounds} rounds, the codes in turns, all on one processor. "
        text += f"Load of the machine: {load}."
        shares = [row.processor_share for row in self.rows if not row.failure and row.long()]
        if shares:
            text += " Runs whose steps take 0.1 s or more had the processor for at least "
            text += f"{100 * min(shares):.0f} % of their time."
        if min(shares, default=1.0) < 0.9:
            text += " Other programs took the rest: the times say little."
        elif max(self.loads) > 2.0:
            text += " Other programs ran on other processors."
        lines.append(text)
        return lines

    def table(self):
        text = ""
        for title, lines in self.blocks():
            cells = [COLUMNS, *lines]
            widths = [max(len(line[i]) for line in cells) for i in range(len(COLUMNS))]
            text += f"\n{title}\n" + "".join(
                "  ".join(
                    cell.rjust(width) if i else cell.ljust(width)
                    for i, (cell, width) in enumerate(zip(line, widths))
                ).rstrip()
                + "\n"
                for line in cells
            )
        return text + "\n" + "".join(line + "\n" for line in self.notes())

    def page(self):
        text = "# scree beside its peers\n\nMade by `python3 tools/peers`; what each column means: "
        text += "[tools/peers](../tools/peers/README.md).\n"
        for title, lines in self.blocks():
            text += f"\n## {title[0].upper() + title[1:]}\n\n"
            text += "".join(
                "| " + " | ".join(line) + " |\n"
                for line in [COLUMNS, ["---"] * len(COLUMNS), *lines]
            )
        return text + "\n" + "".join(f"* {line}\n" for line in self.notes())

    def csv(self):
        out = io.StringIO()
        names = list(dataclasses.asdict(self.rows[0]))
        writer = csv.DictWriter(out, names, lineterminator="\n")
        writer.writeheader()
        for row in self.rows:
            writer.writerow(
                {
                    name: "" if value != value else value
                    for name, value in dataclasses.asdict(row).items()
                }
            )
        return out.getvalue()
