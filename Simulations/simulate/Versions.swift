import CSQLite
import CSodium
import CZlib
import Glibc

/// The versions on which a trace hash depends beside scenario and seed.
enum Versions {
    /// One line for people.
    static var line: String {
        "simulate at commit \(commit), Swift \(toolchain), SQLite \(sqlite), "
            + "libsodium \(sodium), zlib \(zlib)"
    }

    static var sqlite: String { unsafe String(cString: sqlite3_libversion()) }
    static var sodium: String { unsafe String(cString: sodium_version_string()) }
    static var zlib: String { unsafe String(cString: zlibVersion()) }

    /// The compiler's own words are not to be had at run time, short of these.
    static var toolchain: String {
        #if compiler(>=6.5)
            "6.5 or later"
        #elseif compiler(>=6.4)
            "6.4"
        #elseif compiler(>=6.3.3)
            "6.3.3 or later"
        #elseif compiler(>=6.3.2)
            "6.3.2"
        #elseif compiler(>=6.3.1)
            "6.3.1"
        #else
            "6.3"
        #endif
    }

    /// The commit of the working copy that this program was built in.
    static var commit: String {
        let folder = Child.program.split(separator: "/").dropLast().joined(separator: "/")
        let words = ["git", "-C", "/" + folder, "rev-parse", "--short", "HEAD"]
        guard let git = Child.start(words, isSilent: true) else { return "unknown" }
        let output = git.readAll()
        let (code, _) = git.waitForEnd()
        return code == 0 && !output.isEmpty
            ? output.filter { !$0.isWhitespace } : "unknown"
    }
}
