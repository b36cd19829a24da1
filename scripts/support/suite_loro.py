"""loro in the suite. Needs the environment of scripts/suite."""

from importlib.metadata import version

from loro import ExportMode, LoroDoc

from suite_documents import Documents, changes


class Loro:
    name = "loro"
    claims = {"values", "groups", "counters", "sets", "texts", "logs", "orders", "deletes"}
    # Its identities are drawn anew each time, and decide what comes first.
    rounds = 60

    @staticmethod
    def version():
        return version("loro")

    @staticmethod
    def begin(_folder, names):
        return World(names)


class World(Documents):
    """Records are mergeable maps in one map, so that two may create one; the order is a list."""

    def make(self):
        return LoroDoc()

    def save(self, document):
        document.commit()
        return document.export(ExportMode.Snapshot())

    def merge(self, document, data):
        document.import_(data)

    def record(self, document, name):
        return document.get_map("item").ensure_mergeable_map(name)

    def change(self, document, step):
        if "delete" in step:
            document.get_map("item").delete(step["delete"])
        elif "log" in step:
            document.get_map("event").insert(step["log"], step["what"])
        elif "count" in step:
            counter = self.record(document, step["count"]).ensure_mergeable_counter("stock")
            counter.increment(step["by"])
        elif "add" in step:
            tags = self.record(document, step["add"]).ensure_mergeable_map("tags")
            tags.insert(step["tag"], True)
        elif "take" in step:
            tags = self.record(document, step["take"]).ensure_mergeable_map("tags")
            tags.delete(step["tag"])
        elif "type" in step or "rewrite" in step:
            self.edit(document, step)
        elif "move" in step:
            self.move(document, step)
        else:
            record = self.record(document, step["write"])
            for _, field, value in changes(step):
                if value is None:
                    record.delete(field)
                else:
                    record.insert(field, value)
            if step["fields"].get("notes"):
                record.ensure_mergeable_text("notes").push_str(step["fields"]["notes"])
        document.commit()

    def edit(self, document, step):
        record = self.record(document, step.get("type") or step["rewrite"])
        notes = record.ensure_mergeable_text("notes")
        if "rewrite" in step:
            notes.update(step["text"])
            return
        at = step.get("at", notes.len_unicode)
        if step.get("erase"):
            notes.delete(at, step["erase"])
        if step.get("text"):
            notes.insert(at, step["text"])

    def move(self, document, step):
        order = document.get_movable_list("order")
        names = order.get_value()
        if step["move"] not in names:
            order.push(step["move"])
            names = order.get_value()
        source = names.index(step["move"])
        names.remove(step["move"])
        if "after" in step:
            target = names.index(step["after"]) + 1
        else:
            target = 0 if step.get("first") else len(names)
        if source != target:
            order.mov(source, target)

    def shown(self, document):
        value = document.get_deep_value()
        records = value.get("item") or {}
        for record in records.values():
            record["tags"] = list(record.get("tags") or {})
            if "stock" in record:
                record["stock"] = round(record["stock"])
        return {"records": records, "order": value.get("order") or [],
                "log": value.get("event") or {}}
