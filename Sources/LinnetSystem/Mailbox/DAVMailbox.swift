import LinnetWire

/// A collection of a store that speaks WebDAV (RFC 4918): each object is a resource in one of three
/// collections, and packs lie in 32 within theirs, since a listing names all that one holds.
package struct DAVMailbox: Mailbox {
    private static let shardedLetter = "p"
    private static let question = Array(
        """
        <?xml version="1.0" encoding="utf-8"?>
        <propfind xmlns="DAV:"><prop><resourcetype/></prop></propfind>
        """.utf8)

    private let place: StoreAddress
    private let name: String
    private let access: MailboxAccess?
    private let connection: StoreConnection

    init(
        at place: StoreAddress, named name: String, _ access: MailboxAccess?,
        patience: StoreConnection.Patience = .init()
    ) {
        (self.place, self.name, self.access) = (place, name, access)
        connection = StoreConnection(
            isPlain: place.isPlain, authority: access?.authority ?? [], patience: patience)
    }

    /// Puts an object, and makes the collections above it where they are not there.
    package func put(_ bytes: [UInt8], _ name: String) throws(MailboxError) {
        let path = Self.path(try ObjectName(name))
        var response = try ask("PUT", path, body: bytes)
        if response.isAbsence || response.status == 409 {
            try makeCollections(path)
            response = try ask("PUT", path, body: bytes)
        }
        guard response.isDone else { throw response.failure(of: "put") }
    }

    /// Returns an object; nil also where something else lies under the name, or what the store does
    /// not give: it holds up no others.
    package func get(_ name: String, upTo limit: Int) throws(MailboxError) -> [UInt8]? {
        let response = try ask(
            "GET", Self.path(try ObjectName(name)),
            most: max(limit, StoreResponse.mostErrorBytes))
        if response.isOfOneObject { return nil }
        guard response.status == 200 else { throw response.failure(of: "get") }
        return response.body.count <= limit ? response.body : nil
    }

    /// Returns the names in a collection, and in those within it where it has them.
    package func list(_ letter: String, upTo limit: Int) throws(MailboxError) -> [String] {
        guard let names = try resources([letter], upTo: limit) else {
            // An absent collection may be one that nobody needed yet, or the whole may be gone.
            guard try resources([], upTo: limit) != nil else { throw .absentStore(name) }
            return []
        }
        guard letter == Self.shardedLetter else {
            return names.filter { $0 != letter }.map { "\(letter)/\($0)" }
        }
        var found = names.filter { !Self.isShard($0) }
        for shard in Set(names.filter(Self.isShard)).sorted() where found.count < limit {
            let inside = try resources([letter, shard], upTo: limit - found.count)
            found += (inside ?? []).filter { $0 != shard }
        }
        return found.map { "\(letter)/\($0)" }
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

    /// True for the name of a collection in which packs lie; that of all of them is none.
    private static func isShard(_ name: String) -> Bool {
        name.utf8.count == 1 && name.utf8.allSatisfy(ObjectName.isLetter)
    }

    private static func path(_ name: ObjectName) -> [String] {
        guard name.letter == shardedLetter else { return [name.letter, name.rest] }
        return [name.letter, String(name.rest.prefix(1)), name.rest]
    }

    private func makeCollections(_ path: [String]) throws(MailboxError) {
        for count in 1..<path.count {
            let response = try ask("MKCOL", Array(path.prefix(count)), isCollection: true)
            if response.isAbsence || response.status == 409 { throw .absentStore(name) }
            // It is there already.
            guard response.isDone || response.status == 405 else {
                throw response.failure(of: "make a collection")
            }
        }
    }

    /// Returns the last parts of the names of what a collection lists, itself included; nil where
    /// it is not there.
    private func resources(
        _ path: [String], upTo limit: Int
    ) throws(MailboxError) -> [String]? {
        let response = try ask(
            "PROPFIND", path, isCollection: true, body: Self.question,
            headers: ["Depth: 1", "Content-Type: application/xml"],
            most: Limits.mailListingBytes)
        if response.isAbsence { return nil }
        guard response.status == 207 else { throw response.failure(of: "list") }
        guard !response.isTooLong else { throw .badListing("it has more than 8 MiB") }
        // The collection is among them.
        return try StoreListing.resources(response.body, upTo: limit + 1)
    }

    private func ask(
        _ method: String, _ path: [String], isCollection: Bool = false, body: [UInt8]? = nil,
        headers: [String] = ["Content-Type: application/octet-stream"],
        most: Int = StoreResponse.mostErrorBytes
    ) throws(MailboxError) -> StoreResponse {
        var lines = body == nil ? [] : headers
        lines += access?.basicLines ?? []
        let request = StoreRequest(
            method: method, url: place.url(path, isCollection: isCollection), headers: lines,
            body: body, most: most)
        return try connection.ask(request)
    }
}
