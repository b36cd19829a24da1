import Linnet
import LinnetAPI
import LinnetControl

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `linnet api`: answers programs in JSON.
enum ApiCommand {
    static let command = Command(
        "api", summary: "Answer a program: JSON requests on standard input, one a line.",
        details: """
            Each line is an object such as {"id":1,"do":"status"}, and so is each answer:
            {"id":1,"ok":...} or {"id":1,"error":{"code","message","remedy"}}. docs/api.md lists the
            verbs. Requests go through the running node when there is one. The command ends with its
            input.
            """,
        example: "api < docs/samples/requests.jsonl", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        _ = try invocation.arguments.words()
        try await invocation.withGateway { (gateway) throws(ControlFailure) in
            say(["linnet": 1, "version": .text(LinnetVersion.text)])
            var lines = RequestLines()
            while let line = lines.next() {
                switch line {
                case .whole(let bytes): say(await answer(bytes, gateway))
                case .tooLong:
                    say(failure(nil, "size", "a request has at most 1 MiB"))
                }
            }
        }
    }

    private static func say(_ json: JSON) {
        Output.write(json.line + "\n", to: 1)
    }

    private static func answer(_ line: [UInt8], _ gateway: Gateway) async -> JSON {
        var id: JSON?
        do throws(ControlFailure) {
            let json: JSON
            do throws(JSONReader.Failure) {
                json = try JSONReader.read(line)
            } catch {
                throw .usage("this is no JSON: \(error.message), at byte \(error.offset)")
            }
            id = json["id"]
            let members = try VerbMembers(json)
            let verb = try Verb.named(try members.text("do"))
            let made = try await verb.run(try Verb.Call(gateway, members))
            return object(id, "ok", made)
        } catch {
            return failure(id, "\(error.kind)", error.message)
        }
    }

    private static func failure(_ id: JSON?, _ code: String, _ message: String) -> JSON {
        object(
            id, "error", ["code": .text(code), "message": .text(message), "remedy": .null])
    }

    private static func object(_ id: JSON?, _ name: String, _ value: JSON) -> JSON {
        .object([JSON.Member("id", id ?? .null), JSON.Member(name, value)])
    }
}

/// The lines of standard input.
private struct RequestLines {
    enum Line {
        case whole([UInt8])
        case tooLong
    }

    private static let limitBytes = 1 << 20
    private var waiting: [UInt8] = []
    private var isTooLong = false
    private var isOver = false

    /// Returns the next line that is not empty; nil at the end.
    mutating func next() -> Line? {
        while true {
            if let end = waiting.firstIndex(of: 0x0a) {
                let line = Array(waiting[..<end])
                waiting.removeSubrange(...end)
                let wasTooLong = isTooLong || line.count > Self.limitBytes
                isTooLong = false
                if wasTooLong { return .tooLong }
                if line.contains(where: { $0 > 0x20 }) { return .whole(line) }
                continue
            }
            if waiting.count > Self.limitBytes {
                isTooLong = true
                waiting = []
            }
            if isOver {
                let rest = waiting
                waiting = []
                if isTooLong {
                    isTooLong = false
                    return .tooLong
                }
                return rest.contains { $0 > 0x20 } ? .whole(rest) : nil
            }
            readMore()
        }
    }

    private mutating func readMore() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe read(0, &buffer, buffer.count)
        if count > 0 {
            waiting += buffer.prefix(count)
        } else if count == 0 || errno != EINTR {
            isOver = true
        }
    }
}
