/// The head of a request.
struct HTTPRequest: Sendable {
    /// A header, or a part of the query.
    struct Pair: Sendable {
        let name: String
        let value: String
    }

    let method: String
    let path: String
    /// The headers; their names are in small letters.
    let headers: [Pair]
    let query: [Pair]

    /// Returns the value of a header that is there exactly once; nil otherwise.
    func only(_ name: String) -> String? {
        let found = headers.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }

    /// Returns true when a header is there, however often.
    func has(_ name: String) -> Bool { headers.contains { $0.name == name } }

    /// Returns the first value of a part of the query; nil when it is not there.
    func asked(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// True when a person's browser wants to show the answer.
    var wantsPage: Bool { only("accept")?.contains("text/html") ?? false }
}
