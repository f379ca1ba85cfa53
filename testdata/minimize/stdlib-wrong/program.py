#!/usr/bin/env python3
# Export/import of our formula glossary as CSV.
# The partner system wants ';' as the delimiter, '"' for quoting, and a
# backslash in front of quotes (no doubled quotes). What we write we cannot
# read back: entries with TeX in them come back changed.
import argparse
import csv
import io
import logging
import sys
from collections import OrderedDict
from typing import Dict, Iterable, Iterator, List, NamedTuple

logger = logging.getLogger("glossary")

FIELDS = ["key", "term", "formula", "unit", "remark"]

RAW = r"""
len   | length            | l                    | m     |
area  | area              | l * w                | m2    | for rectangles; see also "square"
vel   | velocity          | s / t                | m/s   | average
ekin  | kinetic energy    | m * v^2 / 2          | J     |
freq  | angular frequency | \omega = 2 \pi f     | 1/s   | in "rad" per second
resis | resistance        | U / I                | ohm   | "Ohm's law"; only for DC
mean  | mean value        | \frac{1}{n} \sum x_i |       | arithmetic
dens  | density           | m / V                | kg/m3 | at 20 degrees
"""


class Partner(csv.Dialect):
    """What the partner system documents."""

    delimiter = ";"
    quotechar = '"'
    doublequote = False
    escapechar = "\\"
    quoting = csv.QUOTE_MINIMAL
    lineterminator = "\r\n"
    skipinitialspace = False
    strict = True


class PlainExcel(csv.excel):
    """For looking at it in a spreadsheet."""

    delimiter = ","


csv.register_dialect("partner", Partner)
csv.register_dialect("plain", PlainExcel)


class Record(NamedTuple):
    key: str
    term: str
    formula: str
    unit: str = ""
    remark: str = ""

    def as_dict(self) -> Dict[str, str]:
        return OrderedDict(zip(FIELDS, self))


class Glossary:
    def __init__(self, records: Iterable[Record] = ()):
        self._records = OrderedDict()  # type: Dict[str, Record]
        for record in records:
            self.add(record)

    def add(self, record: Record) -> None:
        if record.key in self._records:
            logger.warning("%s: defined twice, the last one counts", record.key)
        self._records[record.key] = record

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records.values())

    def __len__(self) -> int:
        return len(self._records)

    def __eq__(self, other) -> bool:
        return isinstance(other, Glossary) and list(self) == list(other)

    def get(self, key: str) -> Record:
        return self._records[key]

    def differences(self, other: "Glossary") -> List[str]:
        found = []
        for mine, theirs in zip(self, other):
            for name, a, b in zip(FIELDS, mine, theirs):
                if a != b:
                    found.append("%s.%s: %r became %r" % (mine.key, name, a, b))
        if len(self) != len(other):
            found.append("%d records became %d" % (len(self), len(other)))
        return found


def parse_raw(text: str) -> Glossary:
    glossary = Glossary()
    for line in text.strip().splitlines():
        cells = [c.strip() for c in line.split("|")]
        if len(cells) != len(FIELDS):
            raise ValueError("wrong number of cells: %r" % line)
        glossary.add(Record(*cells))
    return glossary


def export(glossary: Glossary, stream, dialect: str) -> int:
    writer = csv.DictWriter(stream, FIELDS, dialect=dialect)
    writer.writeheader()
    count = 0
    for record in glossary:
        writer.writerow(record.as_dict())
        count += 1
    return count


def load(stream, dialect: str) -> Glossary:
    reader = csv.DictReader(stream, dialect=dialect)
    if reader.fieldnames != FIELDS:
        raise ValueError("unexpected header: %s" % reader.fieldnames)
    return Glossary(Record(**{name: row[name] for name in FIELDS}) for row in reader)


def sniffed(text: str) -> str:
    """Only for the log; the sniffer is often wrong."""
    try:
        return csv.Sniffer().sniff(text).delimiter
    except csv.Error:
        return "?"


def verify(glossary: Glossary, dialect: str) -> str:
    buffer = io.StringIO(newline="")
    count = export(glossary, buffer, dialect)
    text = buffer.getvalue()
    logger.info("%s: %d records, %d characters, looks like %r", dialect, count, len(text), sniffed(text))
    back = load(io.StringIO(text, newline=""), dialect)
    for line in glossary.differences(back):
        logger.error("%s: %s", dialect, line)
    assert back == glossary, "glossary changed on its way through " + dialect
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description="glossary export")
    parser.add_argument("--dialect", action="append", choices=csv.list_dialects())
    parser.add_argument("--show", action="store_true", help="print what would be sent")
    args = parser.parse_args()
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.INFO)
    glossary = parse_raw(RAW)
    for dialect in args.dialect or ["plain", "partner"]:
        text = verify(glossary, dialect)
        if args.show:
            sys.stdout.write(text)
    print("ok")


if __name__ == "__main__":
    main()
