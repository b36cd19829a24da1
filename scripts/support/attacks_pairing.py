"""Guesses at a pairing code, points that are none, and a man in the middle of a pairing."""

import os
import shutil
import socket
import threading

from attempts import happens
from devices import Failure
from wire import PAIR_BY_CODE, Stranger, frame, preface

# The base point of ristretto255 (RFC 9496 appendix A.1): a share like any other.
BASE = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
NO_POINTS = {
    "the identity": bytes(32),
    "a number above the prime": bytes.fromhex("ed" + "ff" * 30 + "7f"),
    "a number with the top bit": bytes.fromhex("00" * 31 + "80"),
    "a negative number": bytes.fromhex("01" + "00" * 31),
    "all ones": b"\xff" * 32,
    # draft-irtf-cfrg-cpace-21, appendix B.3.10.
    "the draft's invalid Y1": bytes.fromhex(
        "2b3c6b8c4f3800e7aef6864025b4ed79bd599117e427c41bd47d93d654b4a51c"),
}


class Showing:
    """A device of a group of its own that shows a code."""

    def __init__(self, ward, name):
        self.ward = ward
        self.device = ward.device(name)
        self.device.call("init", "--name", name, "--kind", "laptop")
        self.device.run()
        self.offer = self.sight = None

    def show(self):
        """Shows a code; None when the device refuses to."""
        self.offer = self.device.talk("pair", "--yes")
        try:
            self.sight = self.offer.wait_for("a code is shown", lambda line: "code" in line, 20)
        except Failure:
            self.sight = None
        return self.sight

    def tries_left(self):
        return [line["triesLeft"] for line in self.offer.lines() if "triesLeft" in line]

    def has_ended(self, seconds=10):
        """Whether the code died: the command ends, and not well."""
        return happens(lambda: self.offer.process.poll() is not None, seconds) \
            and self.offer.process.returncode != 0

    def stranger(self):
        return Stranger(self.device.own_port, self.ward.sources.take())

    def share(self, body, length=None):
        """Sends a share: what came back after the preface, and whether the link is open."""
        with self.stranger() as stranger:
            stranger.send(preface(PAIR_BY_CODE))
            stranger.read(24)
            stranger.send(frame(body, length))
            stranger.read(24 + 34, 3)
            return len(stranger.received) - 24, stranger.ending is None

    def burn(self):
        """Three links that stop when the device has answered with its share."""
        return [self.share(BASE)[0] for _ in range(3)]

    def close(self):
        if self.offer:
            self.offer.kill()
        self.device.stop()


def join(ward, name, code, address):
    """A newcomer that types a code."""
    newcomer = ward.device(name)
    answer = newcomer.attempt(
        "join", "--name", name, "--kind", "other", "--code", code, "--peer", address)
    return newcomer, answer


def wrong_codes(ward):
    """Three wrong codes end the code for everybody."""
    showing = Showing(ward, "guessed")
    code = showing.show()["code"]
    wrong = f"{(int(code) + 1) % 1000000:06d}"
    answers = [join(ward, f"guesser-{n}", wrong, showing.device.address)[1] for n in range(3)]
    ended = showing.has_ended()
    ward.report.case(
        [answer.code for answer in answers] == [1] * 3 and ended
        and showing.tries_left()[:2] == [2, 1],
        "three wrong codes are counted down and end the code",
        f"{[str(a) for a in answers]}, ended {ended}, tries left {showing.tries_left()}")
    _, late = join(ward, "late", code, showing.device.address)
    ward.report.case(
        late.code != 0, "the right code is worth nothing after three wrong ones", str(late))
    showing.show()
    _, right = join(ward, "right", showing.sight["code"], showing.device.address)
    ward.report.case(right.code == 0, "a new code pairs", str(right))
    showing.close()


def aborts(ward):
    """Links that stop after the answer are guesses too; no crash resets the count."""
    showing = Showing(ward, "aborted")
    for number in range(5):
        if not showing.show():
            raise Failure(f"no code is shown after {number} dead ones")
        answers = showing.burn()
        ended = showing.has_ended()
        ward.report.case(
            answers == [34] * 3 and ended,
            f"three links that stop after the answer end the code ({number + 1} of 5)",
            f"answers {answers}, ended {ended}, tries left {showing.tries_left()}")
        showing.offer.kill()
        if number in (1, 4):
            showing.device.kill()
            showing.device.run()
    locked = not showing.show()
    said = showing.offer.complaint()
    ward.report.case(
        locked and showing.offer.process.returncode == 1,
        "five dead codes lock pairing by code, also after kill -9", f"{showing.sight}: {said}")
    showing.close()


def no_points(ward):
    """Shares that are no points of the group get no answer."""
    showing = Showing(ward, "pointless")
    shares = {what: (share, None) for what, share in NO_POINTS.items()}
    shares["31 bytes"] = BASE[:31], None
    shares["33 bytes"] = BASE + b"\0", None
    shares["no bytes"] = b"", None
    shares["a lying length"] = BASE, 65535
    for what, (share, length) in shares.items():
        # A code of its own for each, since they count as tries.
        if not showing.show():
            raise Failure(f"no code is shown: {showing.offer.complaint()}")
        count, is_open = showing.share(share, length)
        showing.offer.kill()
        ward.report.case(
            count == 0 and not is_open, f"{what} as a share gets a closed link and no answer",
            f"{count} bytes came back, open {is_open}")
    showing.close()


def middle_man(ward):
    """Somebody between the two screens who guesses on both sides."""
    showing = Showing(ward, "between")
    code = showing.show()["code"]
    listener = socket.create_server(("127.0.0.1", 0))
    heard = []

    def play_the_member():
        link, _ = listener.accept()
        with link:
            heard.append(link.recv(24, socket.MSG_WAITALL))
            link.sendall(preface(PAIR_BY_CODE))
            heard.append(link.recv(34, socket.MSG_WAITALL))
            link.sendall(frame(BASE))
            heard.append(link.recv(50, socket.MSG_WAITALL))
            link.sendall(frame(os.urandom(96)))
            heard.append(link.recv(1000))

    thread = threading.Thread(target=play_the_member, daemon=True)
    thread.start()
    _, typed = join(ward, "typer", code, f"127.0.0.1:{listener.getsockname()[1]}")
    thread.join(10)
    listener.close()
    ward.report.case(
        typed.code == 1 and heard[3:] == [b""],
        "a middle man's guess ends the pairing of the one who types",
        f"{typed}; heard {[len(each) for each in heard]}")
    with showing.stranger() as stranger:
        stranger.send(preface(PAIR_BY_CODE))
        stranger.read(24)
        stranger.send(frame(BASE))
        answered = stranger.read(24 + 34)
        stranger.send(frame(os.urandom(48)))
        closed = stranger.is_closed(5)
    counted = happens(lambda: showing.tries_left() == [2], 5)
    ward.report.case(
        answered and closed and counted and len(stranger.received) == 58,
        "his guess at the one who shows the code counts as one try",
        f"answered {answered}, closed {closed}, tries left {showing.tries_left()}")
    _, right = join(ward, "honest", code, showing.device.address)
    ward.report.case(right.code == 0, "the code still pairs the right device", str(right))
    showing.close()


def pairing(ward):
    for attack in (wrong_codes, aborts, no_points, middle_man):
        attack(ward)
    ward.is_well("attacks on pairing")


def key_files(ward):
    """A key file that others could have read or changed is refused, and left as it is."""
    device = ward.device("keys")
    device.call("init", "--name", "keys", "--kind", "other")
    original = device.home
    complaints = {}
    for what, damage in DAMAGES.items():
        device.home = original.with_name(f"home-{len(complaints)}")
        shutil.copytree(original, device.home)
        damage(device.home)
        before = traces(device.home)
        answer = device.attempt("digest")
        complaints[what] = answer.words
        ward.report.case(
            answer.code == 1 and answer.words and traces(device.home) == before,
            f"a key file that is {what} is refused and left alone",
            f"{answer}; untouched {traces(device.home) == before}")
    kinds = {words.replace(str(original.parent), "") for words in complaints.values()}
    device.home = original
    distinct = [complaints[what] for what in DISTINCT]
    ward.report.case(
        all(complaints.values()) and len(set(w.split("/")[-1] for w in distinct)) == len(distinct),
        "each reason has words of its own", "; ".join(sorted(kinds)))


def traces(home):
    """All there is to see of the key files, without following links."""
    seen = []
    for name in ("key", "key.bak"):
        status = os.lstat(home / name)
        seen.append((status.st_mode, status.st_uid, status.st_nlink, status.st_size,
                     status.st_mtime_ns, (home / name).read_bytes()))
    return seen


def flip(path):
    data = bytearray(path.read_bytes())
    data[100] ^= 1
    path.write_bytes(data)


def both(change):
    def damage(home):
        for name in ("key", "key.bak"):
            change(home / name)
    return damage


def linked(home):
    (home / "key").rename(home.parent / "elsewhere")
    (home / "key").symlink_to(home.parent / "elsewhere")


DAMAGES = {
    "readable by others": lambda home: (home / "key").chmod(0o644),
    "writable by the group": lambda home: (home / "key.bak").chmod(0o620),
    "a symbolic link": linked,
    "named twice": lambda home: os.link(home / "key", home.parent / f"second-{home.name}"),
    "truncated in both copies": both(lambda path: os.truncate(path, 100)),
    "empty in both copies": both(lambda path: os.truncate(path, 0)),
    "flipped in one bit in both copies": both(flip),
    "in a directory open to others": lambda home: home.chmod(0o755),
}
DISTINCT = ["readable by others", "a symbolic link", "named twice", "truncated in both copies",
            "in a directory open to others"]
if os.geteuid() == 0:
    DAMAGES["somebody else's"] = lambda home: os.chown(home / "key", 65534, -1)
    DISTINCT.append("somebody else's")
