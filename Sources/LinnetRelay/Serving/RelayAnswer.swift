/// An answer of a relay: a status, and bytes or a sentence.
struct RelayAnswer: Error, Equatable, Sendable {
    var status: UInt32
    var body: [UInt8] = []
    var isText = true
    var headers: [Header] = []

    struct Header: Equatable, Sendable {
        var name: String
        var value: String
    }

    init(_ status: UInt32, _ sentence: String = "", _ headers: [Header] = []) {
        self.status = status
        body = sentence.isEmpty ? [] : Array("\(sentence)\n".utf8)
        self.headers = headers
    }

    /// The bytes of an object.
    static func object(_ bytes: [UInt8]) -> RelayAnswer {
        var answer = RelayAnswer(200)
        (answer.body, answer.isText) = (bytes, false)
        return answer
    }

    /// The names of a listing, one a line.
    static func names(_ names: [String]) -> RelayAnswer {
        var answer = RelayAnswer(200)
        answer.body = Array(names.map { "\($0)\n" }.joined().utf8)
        return answer
    }

    static let made = RelayAnswer(201)
    static let done = RelayAnswer(204)
    static let badName = RelayAnswer(400, "this is not the name of an object")
    static let badNumber = RelayAnswer(400, "the number of a change has digits alone")
    static let badLength = RelayAnswer(400, "the body is not as long as its head says")
    static let unauthorised = RelayAnswer(
        401, "there is no such account with this password",
        [Header(name: "WWW-Authenticate", value: "Basic realm=\"linnet relay\"")])
    static let notFound = RelayAnswer(404, "there is nothing here")
    static let noLength = RelayAnswer(411, "say the length of the object")
    static let tooLarge = RelayAnswer(413, "an object has at most 4 MiB")
    static let tooMany = RelayAnswer(
        503, "too much is going on at once: ask again", [Header(name: "Retry-After", value: "5")])
    static let stopping = RelayAnswer(
        503, "the relay is stopping", [Header(name: "Retry-After", value: "5")])
    static let failed = RelayAnswer(500, "the relay's file cannot be used")
    static let overQuota = RelayAnswer(507, "this account has put as much as it may")
    static let noRoom = RelayAnswer(507, "the relay has no room left")

    static func badMethod(_ allowed: String) -> RelayAnswer {
        RelayAnswer(405, "not this method here", [Header(name: "Allow", value: allowed)])
    }

    static func number(_ number: Int64) -> RelayAnswer { RelayAnswer(200, "\(number)") }
}
