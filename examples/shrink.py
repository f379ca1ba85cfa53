"""Reads the clock-in times of a week. Somewhere in here is a bug: shrink it."""
import csv
import io
import statistics
from collections import defaultdict
from datetime import datetime, timedelta

EXPORT = """name;in;out
ann;2024-03-04 08:02;2024-03-04 16:31
bob;2024-03-04 08:15;2024-03-04 16:40
eve;2024-03-05 07:58;2024-03-05 15:59:30
"""
BREAK = timedelta(minutes=30)


class Sheet:
    def __init__(self, text, pause=BREAK):
        self.rows = list(csv.DictReader(io.StringIO(text), delimiter=";"))
        self.hours = defaultdict(list)
        self.pause = pause

    @staticmethod
    def moment(text):
        return datetime.strptime(text.strip(), "%Y-%m-%d %H:%M")

    def add(self, row):
        worked = self.moment(row["out"]) - self.moment(row["in"]) - self.pause
        self.hours[row["name"]].append(worked.total_seconds() / 3600)

    def totals(self):
        for row in self.rows:
            self.add(row)
        return {name: sum(hours) for name, hours in self.hours.items()}


def summary(totals):
    lines = [f"{name:>8}: {hours:6.2f}" for name, hours in sorted(totals.items())]
    lines.append(f"  median: {statistics.median(totals.values()):6.2f}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(summary(Sheet(EXPORT).totals()))
