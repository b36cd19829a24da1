"""Plain rows in SQLite in the suite: each row has a time, and of two versions the later one wins.

It is what many applications build first: a table, a column `updated_at` from the device's clock,
a mark for what is deleted, and a sync that copies the later row over the earlier one."""

import json
import re
import shutil
import sqlite3
import time
from datetime import datetime
from pathlib import Path

from devices import remove

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class Rows:
    name = "rows"
    claims = {"values", "groups", "logs", "deletes"}
    rounds = 1

    @staticmethod
    def version():
        return sqlite3.sqlite_version

    @staticmethod
    def begin(folder, names):
        return World(Path(folder), names)


class World:
    def __init__(self, folder, names):
        self.folder, self.clocks, self.kept = folder, {}, {}
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            self.join(name)

    def join(self, name):
        with self.open(name) as database:
            database.execute("CREATE TABLE item (id TEXT PRIMARY KEY, fields TEXT, at REAL, "
                             "device TEXT, deleted INTEGER)")
            database.execute("CREATE TABLE event (id TEXT PRIMARY KEY, what TEXT)")

    def path(self, name):
        return self.folder / f"{name}.db"

    def open(self, name):
        return sqlite3.connect(self.path(name))

    def now(self, name):
        wrong = self.clocks.get(name, "")
        if wrong.startswith(("+", "-")):
            number, unit = re.fullmatch(r"([+-]\d+)([smhd])", wrong).groups()
            return time.time() + int(number) * UNITS[unit]
        return datetime.fromisoformat(wrong).timestamp() if wrong else time.time()

    def write(self, name, step):
        with self.open(name) as database:
            if "log" in step:
                database.execute("INSERT OR IGNORE INTO event VALUES (?, ?)",
                                 (step["log"], step["what"]))
                return
            record = step.get("write") or step["delete"]
            row = database.execute("SELECT fields, deleted FROM item WHERE id = ?",
                                   (record,)).fetchone()
            fields = json.loads(row[0]) if row and not row[1] else {}
            fields.update(step.get("fields", {}))
            database.execute("INSERT OR REPLACE INTO item VALUES (?, ?, ?, ?, ?)",
                             (record, json.dumps(fields), self.now(name), name,
                              int("delete" in step)))

    def sync(self, one, other):
        for source, target in ((one, other), (other, one)):
            with self.open(source) as here, self.open(target) as there:
                for row in here.execute("SELECT * FROM item"):
                    there.execute(
                        "INSERT INTO item VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
                        "fields = excluded.fields, at = excluded.at, device = excluded.device, "
                        "deleted = excluded.deleted "
                        "WHERE (excluded.at, excluded.device) > (item.at, item.device)", row)
                there.executemany("INSERT OR IGNORE INTO event VALUES (?, ?)",
                                  here.execute("SELECT * FROM event"))

    def show(self, name):
        with self.open(name) as database:
            records = {record: json.loads(fields) for record, fields in database.execute(
                "SELECT id, fields FROM item WHERE NOT deleted")}
            return {"records": records, "log": dict(database.execute("SELECT * FROM event"))}

    def restart(self, name):
        """Every step opens the file anew."""

    kill = restart

    def copy(self, name, other):
        shutil.copy(self.path(name), self.path(other))

    def keep(self, name):
        self.kept[name] = self.path(name).read_bytes()

    def restore(self, name):
        self.path(name).write_bytes(self.kept[name])

    def clock(self, name, what):
        self.clocks[name] = what

    def end(self):
        remove(self.folder)
