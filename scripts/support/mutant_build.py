"""Builds a copy of the tree in which every planted bug is compiled in behind one switch."""

import hashlib
import json
import shutil
import subprocess
import sys

from mutant_files import Trouble, locate

SWITCH = "Sources/LinnetWire/Mutant.swift"


def folder(top):
    return top / ".build" / "mutants"


def built_names(top):
    """The bugs that the last build holds."""
    names = folder(top) / "names.json"
    return json.loads(names.read_text()) if names.is_file() else []


def build(mutants, top, product):
    """Brings the copy up to date and builds a product there; the path of the binary."""
    locate(mutants, top)
    copy = folder(top)
    copy.mkdir(parents=True, exist_ok=True)
    key = fingerprint(mutants, top)
    binary = copy / ".build" / "release" / product
    stamp = copy / f"built-{product}"
    if stamp.is_file() and stamp.read_text() == key and binary.is_file():
        return binary
    stamp.unlink(missing_ok=True)
    lay_out(mutants, top, copy)
    command = ["swift", "build", "--package-path", str(copy), "-c", "release"]
    print(" ".join(command), product, file=sys.stderr, flush=True)
    if subprocess.run(command + ["--product", product], stdout=sys.stderr).returncode != 0:
        raise Trouble("the copy with the bugs in it does not build")
    (copy / "names.json").write_text(json.dumps([mutant.name for mutant in mutants]))
    stamp.write_text(key)
    return binary


def describe(mutants, top):
    """Lays the copy out and has its manifest read, which costs no build."""
    copy = folder(top)
    copy.mkdir(parents=True, exist_ok=True)
    lay_out(mutants, top, copy)
    command = ["swift", "package", "--package-path", str(copy), "describe"]
    read = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if read.returncode != 0:
        raise Trouble(f"the copy with the bugs in it is no package: {read.stderr.strip()[-600:]}")


def fingerprint(mutants, top):
    """A hash of all that goes into the build."""
    digest = hashlib.sha256()
    files = [top / "Package.swift"]
    for name in ("Sources", "Simulations"):
        files += sorted(path for path in (top / name).rglob("*") if path.is_file())
    for path in files:
        digest.update(f"{path.relative_to(top)}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def lay_out(mutants, top, copy):
    """The tree again: links to what is the same, files of their own where bugs are planted."""
    texts = {}
    for path in {mutant.file for mutant in mutants}:
        here = [mutant for mutant in mutants if mutant.file == path]
        texts[path] = with_import(planted((top / path).read_text(), here), path)
    texts[SWITCH] = switch(mutants)
    texts["Package.swift"] = manifest((top / "Package.swift").read_text())
    # The manifest names targets among the examples of the documentation, too.
    for name in ("Simulations", "Tests", "Sources", "docs"):
        mirror(top / name, copy / name, texts, top)
    for path, text in texts.items():
        write(copy / path, text)


def mirror(source, target, texts, top):
    """A link to a folder, or a folder of links where something in it differs."""
    name = str(source.relative_to(top))
    if not any(path.startswith(name + "/") for path in texts):
        link(target, source)
        return
    if target.is_symlink():
        target.unlink()
    target.mkdir(exist_ok=True)
    for entry in source.iterdir():
        path = str(entry.relative_to(top))
        if entry.is_dir():
            mirror(entry, target / entry.name, texts, top)
        elif path not in texts:
            link(target / entry.name, entry)
    for entry in target.iterdir():
        path = f"{name}/{entry.name}"
        if not (source / entry.name).exists() and path not in texts:
            remove(entry)


def link(target, source):
    if target.is_symlink() and target.readlink() == source:
        return
    remove(target)
    target.symlink_to(source)


def remove(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def write(path, text):
    """Leaves a file that is right alone, so that it is not compiled again."""
    if path.is_symlink():
        path.unlink()
    if not path.is_file() or path.read_text() != text:
        path.write_text(text)


def planted(text, mutants, start=0, end=None):
    """A piece of a file with every bug in it behind the switch; bugs inside bugs come first."""
    end = len(text) if end is None else end
    inside = [m for m in mutants if start <= m.span[0] and m.span[1] <= end]
    outer = sorted({m.span for m in inside if not any(holds(o.span, m.span) for o in inside)})
    result, position = "", start
    for span in outer:
        here = [m for m in inside if m.span == span]
        rest = [m for m in inside if m.span != span]
        original = planted(text, rest, *span)
        result += text[position:span[0]] + switched(here, original)
        position = span[1]
    return result + text[position:end]


def holds(outer, inner):
    return outer != inner and outer[0] <= inner[0] and inner[1] <= outer[1]


def switched(mutants, original):
    if mutants[0].kind == "expression":
        for mutant in reversed(mutants):
            original = f"(Mutant.isOn({mutant.number}) ? ({mutant.mutated}) : ({original}))"
        return original
    result = ""
    for mutant in mutants:
        result += f"if Mutant.isOn({mutant.number}) {{\n{mutant.mutated}\n}} else "
    return result + f"{{\n{original}\n}}"


def with_import(text, path):
    """Whoever asks for the switch imports the module that it is in."""
    if path.startswith("Sources/LinnetWire/") or "import LinnetWire\n" in text:
        return text
    return "internal import LinnetWire\n" + text


def manifest(text):
    """Code that is never the product's need not be free of warnings."""
    return text.replace(".treatAllWarnings(as: .error)", "").replace(".strictMemorySafety(),", "")


def switch(mutants):
    """The switch: which bug is on is read once from the environment."""
    names = "".join(f'        "{mutant.name}",\n' for mutant in mutants)
    return f"""\
import Glibc

/// Which of the planted bugs is on.
package enum Mutant {{
    @usableFromInline package static let active = number(getenv("LINNET_MUTANT"))

    /// Whether the bug of this number is on.
    @inlinable package static func isOn(_ number: Int) -> Bool {{ active == number }}

    private static func number(_ value: UnsafeMutablePointer<CChar>?) -> Int {{
        guard let value else {{ return 0 }}
        let name = String(cString: value)
        if name.isEmpty {{ return 0 }}
        guard let index = names.firstIndex(of: name) else {{ exit(64) }}
        return index + 1
    }}

    private static let names = [
{names}    ]
}}
"""
