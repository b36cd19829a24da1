"""What the libraries of documents share in the suite: a document for each device, kept as bytes.

Each library is used as its documentation shows it for such data, and saved after every step, as an
application would do. A document that is copied or put back is loaded under a new identity, which is
what these libraries do when nothing else is asked for."""


class Documents:
    """A world of documents; a subclass makes, saves, loads, merges, writes and shows one."""

    def __init__(self, names):
        self.documents, self.saved, self.kept = {}, {}, {}
        for name in names:
            self.join(name)

    def join(self, name):
        self.documents[name] = self.make()
        self.saved[name] = self.save(self.documents[name])

    def write(self, name, step):
        self.change(self.documents[name], step)
        self.saved[name] = self.save(self.documents[name])

    def sync(self, one, other):
        first, second = self.saved[one], self.saved[other]
        self.merge(self.documents[one], second)
        self.merge(self.documents[other], first)
        for name in (one, other):
            self.saved[name] = self.save(self.documents[name])

    def show(self, name):
        return self.shown(self.documents[name])

    def restart(self, name):
        self.documents[name] = self.load(self.saved[name])

    kill = restart

    def copy(self, name, other):
        self.saved[other] = self.saved[name]
        self.documents[other] = self.load(self.saved[name])

    def keep(self, name):
        self.kept[name] = self.saved[name]

    def restore(self, name):
        self.saved[name] = self.kept[name]
        self.documents[name] = self.load(self.kept[name])

    def clock(self, name, what):
        """No clock plays a part in them."""

    def end(self):
        """Nothing stands on a disk."""

    def load(self, data):
        document = self.make()
        self.merge(document, data)
        return document


def changes(step):
    """A step on a record as (record, field, value) of plain values; none of other steps."""
    if "write" not in step:
        return []
    return [(step["write"], field, value) for field, value in step["fields"].items()
            if field != "notes"]
