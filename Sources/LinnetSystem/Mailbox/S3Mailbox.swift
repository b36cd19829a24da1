import LinnetCrypto
import LinnetWire
import Synchronization

/// A bucket of a store that speaks the interface of S3, or what lies below a prefix in it.
package final class S3Mailbox: Mailbox {
    private static let pageKeys = "1000"
    /// The most parts of one listing: a store that gives fewer keys at once than it is asked for
    /// still shows as many as are taken.
    private static let mostPages = 200
    private static let skewed = "RequestTimeTooSkewed"

    private let place: StoreAddress
    private let name: String
    private let signature: S3Signature?
    private let connection: StoreConnection
    /// The store's clock less the one here, in seconds, where the store refused the one here.
    private let skew = Mutex<Int64>(0)

    init(
        at place: StoreAddress, named name: String, _ access: MailboxAccess,
        patience: StoreConnection.Patience = .init()
    ) {
        (self.place, self.name) = (place, name)
        signature = access.password.map {
            S3Signature(user: access.user, secret: $0, region: access.region)
        }
        connection = StoreConnection(
            isPlain: place.isPlain, authority: access.authority, patience: patience)
    }

    /// Puts an object.
    package func put(_ bytes: [UInt8], _ name: String) throws(MailboxError) {
        let response = try ask("PUT", Self.path(try ObjectName(name)), body: bytes)
        if response.isAbsence { throw .absentStore(self.name) }
        guard response.isDone else { throw response.failure(of: "put") }
    }

    /// Returns an object; nil also where the store does not give it: it holds up no others.
    package func get(_ name: String, upTo limit: Int) throws(MailboxError) -> [UInt8]? {
        let response = try ask("GET", Self.path(try ObjectName(name)), most: limit)
        if response.isOfOneObject { return nil }
        guard response.status == 200 else { throw response.failure(of: "get") }
        return response.body.count <= limit ? response.body : nil
    }

    /// Returns the names of the objects whose keys begin with the prefix and a letter.
    package func list(_ letter: String, upTo limit: Int) throws(MailboxError) -> [String] {
        let prefix = (place.path.dropFirst() + [letter]).joined(separator: "/") + "/"
        var names: [String] = []
        var mark: String?
        var rest = Limits.mailListingBytes
        for _ in 0..<Self.mostPages {
            var query = [
                ("list-type", "2"), ("max-keys", Self.pageKeys), ("prefix", prefix),
            ]
            if let mark { query.append(("continuation-token", mark)) }
            let response = try ask("GET", [], query: query, most: rest)
            if response.isAbsence { throw .absentStore(name) }
            guard response.status == 200 else { throw response.failure(of: "list") }
            guard !response.isTooLong else { throw .badListing("it has more than 8 MiB") }
            rest -= response.body.count
            let page = try StoreListing.keys(response.body)
            names += page.keys.filter { $0.hasPrefix(prefix) }
                .map { "\(letter)/\($0.dropFirst(prefix.count))" }
            guard names.count < limit, let next = page.next else {
                return Array(names.prefix(limit))
            }
            mark = next
        }
        throw .badListing("it does not end")
    }

    /// Deletes an object.
    package func delete(_ name: String) throws(MailboxError) {
        let response = try ask("DELETE", Self.path(try ObjectName(name)))
        guard response.isDone || response.isAbsence else {
            throw response.failure(of: "delete")
        }
    }

    /// Returns what went over the network since this was asked last.
    package func takeTraffic() -> StoreTraffic { connection.takeTraffic() }

    private static func path(_ name: ObjectName) -> [String] { [name.letter, name.rest] }

    /// Asks, and once more by the store's clock where that is too far from the one here.
    private func ask(
        _ method: String, _ path: [String], query: [(String, String)] = [], body: [UInt8]? = nil,
        most: Int = StoreResponse.mostErrorBytes
    ) throws(MailboxError) -> StoreResponse {
        let now = SystemClock.now().wallMilliseconds / 1_000
        let response = try send(
            method, path, query, body, most, at: now + skew.withLock { $0 })
        guard response.status == 403, let date = response.date,
            StoreListing.errorCode(response.body) == Self.skewed
        else { return response }
        skew.withLock { $0 = date - now }
        return try send(method, path, query, body, most, at: date)
    }

    private func send(
        _ method: String, _ path: [String], _ query: [(String, String)], _ body: [UInt8]?,
        _ most: Int, at seconds: Int64
    ) throws(MailboxError) -> StoreResponse {
        // A request for the bucket itself names no object, so that its path ends with the bucket.
        let parts = path.isEmpty ? Array(place.path.prefix(1)) : place.path + path
        let target = "/" + parts.joined(separator: "/")
        var lines = body == nil ? [] : ["Content-Type: application/octet-stream"]
        lines +=
            signature?.sign(
                method, host: place.host, path: target, query: query, body: body ?? [],
                at: seconds) ?? []
        let text = query.isEmpty ? "" : "?" + S3Signature.query(query)
        return try connection.ask(
            StoreRequest(
                method: method, url: place.origin + target + text, headers: lines, body: body,
                most: max(most, StoreResponse.mostErrorBytes)))
    }
}
