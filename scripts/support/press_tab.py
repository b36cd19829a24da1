#!/usr/bin/env python3
"""Types an unfinished call of linnet into a real shell, presses the tabulator, and prints the words
that the shell then has, one a line: press_tab.py SHELL SCRIPT PROGRAM LINE.

SCRIPT is what `linnet help --completions SHELL` prints. The shell reads no file of a person.
"""

import os
import pty
import re
import select
import shutil
import sys
import tempfile
import time
from pathlib import Path

PATIENCE_SECONDS = 60
# A shell echoes what is typed, so the marks are put together when it runs the line.
PRINT = r"printf '\n<%s>' begin"
END = "; printf '<%s>\\n' end"


def loading(shell, folder):
    """The line that makes the shell know the completions in a folder."""
    if shell == "zsh":
        return f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D"
    return f"source {folder}/linnet.script"


def start(shell, folder):
    """The shell on a terminal of its own: its process and the other end of the terminal."""
    words = {
        "bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"],
        "fish": ["fish", "--no-config", "-i"],
    }[shell]
    environment = dict(
        os.environ, HOME=str(folder), TERM="dumb", PATH=f"{folder}:{os.environ['PATH']}",
        XDG_CONFIG_HOME=str(folder), XDG_DATA_HOME=str(folder), LC_ALL="C.UTF-8", PS1="$ ")
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe(words[0], words, environment)
    return process, terminal


class Typist:
    def __init__(self, terminal):
        self.terminal = terminal
        self.seen = ""

    def type(self, text):
        os.write(self.terminal, text.encode())

    def wait(self, pattern):
        """Reads until the pattern was printed since the last time, and returns its match."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            found = re.search(pattern, self.seen, re.DOTALL)
            if found:
                self.seen = self.seen[found.end():]
                return found
            ready, _, _ = select.select([self.terminal], [], [], deadline - time.monotonic())
            if not ready:
                raise SystemExit(f"press_tab: the shell printed only {self.seen!r}")
            self.seen += os.read(self.terminal, 65536).decode(errors="replace")


def main(shell, script, program, line):
    folder = Path(tempfile.mkdtemp(prefix="linnet-tab."))
    process = None
    try:
        shutil.copy(script, folder / ("_linnet" if shell == "zsh" else "linnet.script"))
        (folder / "linnet").symlink_to(program)
        process, terminal = start(shell, folder)
        typist = Typist(terminal)
        typist.type(f"{loading(shell, folder)}{END}\r")
        typist.wait("<end>")
        # Control-A goes to the beginning, so that the shell itself says which words it has.
        typist.type(f"{line}\t\x01{PRINT} \x05{END}\r")
        found = typist.wait("<begin>(.*?)<end>")
        for word in re.findall("\n?<(.*?)>", found.group(1).replace("\r", ""), re.DOTALL):
            print(word)
    finally:
        if process:
            os.kill(process, 9)
            os.waitpid(process, 0)
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
