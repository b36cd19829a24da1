import LinnetWire

/// A place of a relay, a server of one's own that `linnet relay` runs: each object lies under its
/// name, and the relay tells when another account put something.
package struct RelayMailbox: Mailbox, NewsTeller {
    /// The most names in one part of a listing.
    package static let pageNames = 10_000
    /// The part of all paths that names this interface.
    package static let version = "v1"
    private static let mostNumberBytes = 64
    /// A question that is held open for 55 seconds is silent so long.
    private static let newsPatience = StoreConnection.Patience(
        connecting: 15, silence: 90, whole: 90)

    private let place: StoreAddress
    private let name: String
    private let access: MailboxAccess
    private let connection: StoreConnection
    private let newsConnection: StoreConnection

    init(
        at place: StoreAddress, named name: String, _ access: MailboxAccess,
        patience: StoreConnection.Patience = .init()
    ) {
        (self.place, self.name, self.access) = (place, name, access)
        connection = StoreConnection(
            isPlain: place.isPlain, authority: access.authority, patience: patience)
        newsConnection = StoreConnection(
            isPlain: place.isPlain, authority: access.authority, patience: Self.newsPatience)
    }

    /// Puts an object.
    package func put(_ bytes: [UInt8], _ name: String) throws(MailboxError) {
        let response = try ask("PUT", Self.path(try ObjectName(name)), body: bytes)
        if response.isAbsence { throw .absentStore(self.name) }
        guard response.isDone else { throw response.failure(of: "put") }
    }

    /// Returns an object; nil also where the relay does not give it: it holds up no others.
    package func get(_ name: String, upTo limit: Int) throws(MailboxError) -> [UInt8]? {
        let response = try ask(
            "GET", Self.path(try ObjectName(name)),
            most: max(limit, StoreResponse.mostErrorBytes))
        if response.isOfOneObject { return nil }
        guard response.status == 200 else { throw response.failure(of: "get") }
        return response.body.count <= limit ? response.body : nil
    }

    /// Returns the names that begin with a letter, part after part.
    package func list(_ letter: String, upTo limit: Int) throws(MailboxError) -> [String] {
        var names: [String] = []
        var rest = Limits.mailListingBytes
        while names.count < limit {
            let query = names.last.map { "?after=\($0)" } ?? ""
            let response = try ask("GET", [letter, query], most: rest)
            if response.isAbsence { throw .absentStore(name) }
            guard response.status == 200 else { throw response.failure(of: "list") }
            guard !response.isTooLong else { throw .badListing("it has more than 8 MiB") }
            rest -= response.body.count
            let page = String(decoding: response.body, as: UTF8.self)
                .split(separator: "\n").map(String.init)
            let mark = names.last
            names += page
            guard page.count >= Self.pageNames else { break }
            // A strange name leads nowhere, and one that comes again to no end.
            _ = try ObjectName(names.last ?? "")
            guard names.last ?? "" > mark ?? "" else { throw .badListing("it does not end") }
        }
        return Array(names.prefix(limit))
    }

    /// Deletes an object.
    package func delete(_ name: String) throws(MailboxError) {
        let response = try ask("DELETE", Self.path(try ObjectName(name)))
        guard response.isDone || response.isAbsence else {
            throw response.failure(of: "delete")
        }
    }

    /// Returns what went over the network since this was asked last, without waits for news.
    package func takeTraffic() -> StoreTraffic { connection.takeTraffic() }

    /// This relay.
    package var newsTeller: (any NewsTeller)? { self }

    /// Waits for news over a connection of its own, which other requests do not wait for.
    package func news(
        since number: UInt64?, until stop: StopFlag
    ) throws(MailboxError) -> UInt64 {
        let query = number.map { "?since=\($0)" } ?? ""
        let response = try newsConnection.ask(
            request("GET", ["wait\(query)"], body: nil, most: StoreResponse.mostErrorBytes),
            until: stop)
        guard response.status == 200 else { throw response.failure(of: "wait for news") }
        let text = String(decoding: response.body.prefix(Self.mostNumberBytes), as: UTF8.self)
        guard let told = UInt64(text.prefix { $0 != "\n" }) else {
            throw .unexpected(verb: "wait for news", status: response.status)
        }
        return told
    }

    private static func path(_ name: ObjectName) -> [String] { [name.letter, name.rest] }

    private func ask(
        _ method: String, _ path: [String], body: [UInt8]? = nil,
        most: Int = StoreResponse.mostErrorBytes
    ) throws(MailboxError) -> StoreResponse {
        try connection.ask(request(method, path, body: body, most: most))
    }

    private func request(
        _ method: String, _ path: [String], body: [UInt8]?, most: Int
    ) -> StoreRequest {
        let type = body == nil ? [] : ["Content-Type: application/octet-stream"]
        return StoreRequest(
            method: method, url: place.url([Self.version] + path),
            headers: type + access.basicLines, body: body, most: most)
    }
}
