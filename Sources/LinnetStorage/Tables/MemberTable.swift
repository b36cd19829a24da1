package import LinnetWire

/// The statements on membership records.
struct MemberTable: ~Copyable {
    let insert: Statement
    let all: Statement

    init(_ connection: borrowing Connection) {
        insert = connection.prepare(
            "INSERT INTO members (id, bytes) VALUES (?, ?)", place: "members")
        all = connection.prepare("SELECT id, bytes FROM members ORDER BY number", place: "members")
    }
}

/// A signed membership record as it was received.
package struct MemberRow: Equatable, Sendable {
    /// The record identifier.
    package var id: MemberRecordID
    /// The signed bytes.
    package var bytes: [UInt8]

    /// A record and its identifier.
    package init(id: MemberRecordID, bytes: [UInt8]) {
        self.id = id
        self.bytes = bytes
    }
}

extension SQLiteStore {
    /// Adds a membership record after all others.
    package func appendMemberRecord(
        id: MemberRecordID, bytes: [UInt8]
    ) throws(StorageError) {
        checkTransaction()
        try file.members.insert.run(.bytes(id.array), .bytes(bytes))
    }

    /// Every membership record, in the order they were added.
    package func memberRecords() throws(StorageError) -> [MemberRow] {
        var found: [MemberRow] = []
        try file.members.all.forEachRow { (row) throws(StorageError) in
            found.append(MemberRow(id: try row.bytes32(0), bytes: try row.bytes(1)))
            return true
        }
        return found
    }
}
