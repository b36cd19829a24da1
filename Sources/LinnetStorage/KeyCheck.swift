internal import LinnetWire

/// A sealed row with known content: it opens only under the key that the file was made with.
enum KeyCheck {
    private static let name = "key-check"
    private static let content = Array("linnet".utf8)

    /// The SQL that plants the row.
    static func statement(_ sealer: inout Sealer) -> String {
        let sealed = sealer.seal(.meta, Array(name.utf8), content)
        let literal = Hex.encode(sealed)
        return "INSERT INTO meta VALUES ('\(name)', \(SealedTable.rowVersion), x'\(literal)')"
    }

    /// Refuses a key that does not open the row.
    static func verify(
        _ connection: borrowing Connection, _ sealer: borrowing Sealer
    ) throws(StorageError) {
        let row = try connection.prepare(
            "SELECT version, sealed FROM meta WHERE key = '\(name)'", place: "meta"
        ).firstRow { (row) throws(StorageError) in
            (version: try row.number(0, as: UInt32.self), sealed: try row.bytes(1))
        }
        guard let row else { throw .corrupt(where: "meta") }
        let opened = try? sealer.open(.meta, Array(name.utf8), row.sealed, version: row.version)
        guard opened == content else { throw .wrongKey }
    }
}
