"""pycrdt, the binding of Yrs for Python, in the suite. Needs the environment of scripts/suite."""

from importlib.metadata import version

from pycrdt import Doc, Map, Text

from suite_documents import Documents, changes


class Pycrdt:
    name = "pycrdt"
    claims = {"values", "groups", "sets", "texts", "logs", "deletes"}
    # Its identities are drawn anew each time, and decide what comes first.
    rounds = 60

    @staticmethod
    def version():
        return version("pycrdt")

    @staticmethod
    def begin(_folder, names):
        return World(names)


class World(Documents):
    """Records are maps in one map; a set is a map's keys, a log a map by identifier."""

    def make(self):
        document = Doc()
        document.get("item", type=Map)
        document.get("event", type=Map)
        return document

    def save(self, document):
        return document.get_update()

    def merge(self, document, data):
        document.apply_update(data)

    def record(self, document, name):
        items = document.get("item", type=Map)
        if name not in items:
            items[name] = Map({"tags": Map({}), "notes": Text("")})
        return items[name]

    def change(self, document, step):
        with document.transaction():
            if "delete" in step:
                items = document.get("item", type=Map)
                if step["delete"] in items:
                    del items[step["delete"]]
            elif "log" in step:
                document.get("event", type=Map)[step["log"]] = step["what"]
            elif "add" in step:
                self.record(document, step["add"])["tags"][step["tag"]] = True
            elif "take" in step:
                tags = self.record(document, step["take"])["tags"]
                if step["tag"] in tags:
                    del tags[step["tag"]]
            elif "type" in step or "rewrite" in step:
                self.edit(document, step)
            else:
                record = self.record(document, step["write"])
                for _, field, value in changes(step):
                    if value is not None:
                        record[field] = value
                    elif field in record:
                        del record[field]
                if step["fields"].get("notes"):
                    notes = record["notes"]
                    notes.insert(len(notes), step["fields"]["notes"])

    def edit(self, document, step):
        notes = self.record(document, step.get("type") or step["rewrite"])["notes"]
        text = str(notes)
        if "rewrite" in step:
            notes.clear()
            notes.insert(0, step["text"])
            return
        # Places are counted in bytes here.
        at = len(text[:step.get("at", len(text))].encode())
        erased = len(text[step.get("at", 0):][:step.get("erase", 0)].encode())
        if erased:
            del notes[at:at + erased]
        if step.get("text"):
            notes.insert(at, step["text"])

    def shown(self, document):
        records = document.get("item", type=Map).to_py() or {}
        for record in records.values():
            record["tags"] = list(record.get("tags") or {})
        return {"records": records, "log": document.get("event", type=Map).to_py() or {}}
