import CSodium
import CStoryPage
import Glibc
import LinnetSimulator

/// A story as one page that needs nothing beside it.
///
/// The page allows its own script and style by their hashes and nothing else: whatever stands in
/// the story is text.
enum StoryPage {
    static func html(_ story: RecordedStory) -> String {
        let style = unsafe text(of: story_part_style())
        let script = unsafe text(of: story_part_script())
        let policy =
            "default-src 'none'; script-src '\(hash(script))'; style-src '\(hash(style))'; "
            + "base-uri 'none'; form-action 'none'"
        let values = [
            "policy": policy, "title": escaped(title(story)), "style": style, "script": script,
            "story": story.json(program: Versions.line),
        ]
        return filled(unsafe text(of: story_part_page()), values)
    }

    /// Puts each value where its name stands in double braces, and looks at none of them again.
    static func filled(_ page: String, _ values: [String: String]) -> String {
        var result = ""
        var rest = page[...]
        while let start = rest.firstRange(of: "{{") {
            result += rest[..<start.lowerBound]
            guard let end = rest[start.upperBound...].firstRange(of: "}}"),
                let value = values[String(rest[start.upperBound..<end.lowerBound])]
            else {
                result += "{{"
                rest = rest[start.upperBound...]
                continue
            }
            result += value
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    private static func title(_ story: RecordedStory) -> String {
        "\(story.outcome.scenario), seed \(story.outcome.seed)"
    }

    /// Text that may stand in an element or an attribute.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    /// The source of a content policy that allows one inline script or style.
    private static func hash(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        let code = unsafe crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
        precondition(code == 0, "SHA-256 of bytes in memory always succeeds")
        return "sha256-" + base64(digest)
    }

    static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let three = bytes[start..<min(start + 3, bytes.count)]
            let word = three.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - three.count))
            for place in 0..<4 {
                text.append(place > three.count ? "=" : digits[word >> (18 - 6 * place) & 63])
            }
        }
        return text
    }

    private static func text(of part: StoryPart) -> String {
        let bytes = unsafe UnsafeBufferPointer(start: part.bytes, count: part.count)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }
}

/// The place of a story: a file that is known to be writable before the run begins.
struct StoryFile {
    private let path: String

    init(_ path: String) throws(Options.WrongUsage) {
        guard path != "-", !path.isEmpty else {
            throw .init(message: "--html needs the name of a file: --html story.html")
        }
        self.path = path
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw .init(message: "cannot write '\(path)': \(Self.problem)")
        }
        close(descriptor)
    }

    /// Writes the page; false, with a word about it, when that fails.
    func write(_ story: RecordedStory) -> Bool {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        var isWritten =
            descriptor >= 0 && Terminal.tryToWrite(StoryPage.html(story), to: descriptor)
        let problem = Self.problem
        if descriptor >= 0, close(descriptor) != 0 { isWritten = false }
        Terminal.note(
            isWritten
                ? "story: \(path)" : "simulate: the story was not written to '\(path)': \(problem)")
        return isWritten
    }

    private static var problem: String { unsafe String(cString: strerror(errno)) }
}
