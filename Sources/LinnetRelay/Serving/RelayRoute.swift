import LinnetSystem

/// The head of a request, as far as a relay reads it.
struct RelayHead: Sendable {
    let method: String
    let path: String
    /// The line that names the account; nil where there is none.
    let authorization: String?
    /// The length of the body as the head tells it; nil where it tells none.
    let length: Int?
    /// True where the body comes in parts of any number, whose length nobody knows before.
    let isChunked: Bool
    /// The parts `after` and `since` of the query.
    let after: String?
    let since: String?
}

/// The meaning of a request.
enum RelayRoute: Equatable, Sendable {
    case list(letter: String, after: String?)
    case get(String)
    case put(String, bytes: Int)
    case delete(String)
    case wait(since: Int64?)

    /// Reads a request.
    static func read(_ head: RelayHead) -> Result<RelayRoute, RelayAnswer> {
        let parts = head.path.split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        guard parts.first == "", parts.count >= 3, parts[1] == RelayMailbox.version else {
            return .failure(.notFound)
        }
        if parts.count == 3, parts[2] == "wait" { return wait(head) }
        guard parts.count == 4 else { return .failure(.notFound) }
        if parts[3].isEmpty { return list(parts[2], head) }
        let name = "\(parts[2])/\(parts[3])"
        guard isName(name) else { return .failure(.badName) }
        switch head.method {
        case "GET": return .success(.get(name))
        case "DELETE": return .success(.delete(name))
        case "PUT": return put(name, head)
        default: return .failure(.badMethod("GET, PUT, DELETE"))
        }
    }

    private static func wait(_ head: RelayHead) -> Result<RelayRoute, RelayAnswer> {
        guard head.method == "GET" else { return .failure(.badMethod("GET")) }
        guard let text = head.since else { return .success(.wait(since: nil)) }
        guard text.utf8.count <= 19, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int64(text)
        else { return .failure(.badNumber) }
        return .success(.wait(since: number))
    }

    private static func list(
        _ letter: String, _ head: RelayHead
    ) -> Result<RelayRoute, RelayAnswer> {
        guard letter.utf8.count == 1, letter.utf8.allSatisfy(ObjectName.isLetter) else {
            return .failure(.badName)
        }
        guard head.method == "GET" else { return .failure(.badMethod("GET")) }
        if let mark = head.after, !isName(mark) || !mark.hasPrefix(letter) {
            return .failure(.badName)
        }
        return .success(.list(letter: letter, after: head.after))
    }

    private static func put(_ name: String, _ head: RelayHead) -> Result<RelayRoute, RelayAnswer> {
        guard !head.isChunked, let length = head.length else { return .failure(.noLength) }
        guard length <= RelayLimits.objectBytes else { return .failure(.tooLarge) }
        return .success(.put(name, bytes: length))
    }

    private static func isName(_ name: String) -> Bool {
        do throws(MailboxError) {
            _ = try ObjectName(name)
            return true
        } catch {
            return false
        }
    }
}
