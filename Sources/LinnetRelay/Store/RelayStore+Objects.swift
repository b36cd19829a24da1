import LinnetStorage

extension RelayStore {
    private struct Known {
        let id: Int64
        let account: Int64
        let size: Int64
    }

    /// Puts an object whole, over one of the same name.
    ///
    /// - Parameter room: the most bytes of all objects of all places.
    func put(
        _ bytes: [UInt8], _ name: String, by access: RelayAccess, room: Int64,
        at wallMilliseconds: Int64
    ) throws(RelayError) -> RelayPutting {
        try transaction { () throws(StorageError) in
            guard let (quota, used) = try quota(of: access) else { return .removed }
            let known = try known(name, in: access.place)
            if let known, known.size == bytes.count, try self.bytes(of: known.id) == bytes {
                return .unchanged
            }
            let cost = Int64(bytes.count) + RelayLimits.objectOverhead
            let before = known.map { $0.size + RelayLimits.objectOverhead } ?? 0
            let ownBefore = known?.account == access.id ? before : 0
            guard used - ownBefore + cost <= quota else { return .overQuota }
            let all = try connection.integer("SELECT ifnull(sum(used), 0) FROM accounts")
            guard all - before + cost <= room else { return .noRoom }
            if let known { try drop(known) }
            try insert(bytes, name, by: access, cost: cost, at: wallMilliseconds)
            return .changed
        }
    }

    private func insert(
        _ bytes: [UInt8], _ name: String, by access: RelayAccess, cost: Int64,
        at wallMilliseconds: Int64
    ) throws(StorageError) {
        try change("UPDATE places SET number = number + 1 WHERE id = ?", access.place)
        try connection.prepare(
            """
            INSERT INTO objects (place, name, account, change, made, size, bytes)
            SELECT id, ?, ?, number, ?, ?, ? FROM places WHERE id = ?
            """, place: "objects"
        ).run(
            .text(name), .integer(access.id), .integer(wallMilliseconds),
            .integer(Int64(bytes.count)), .bytes(bytes), .integer(access.place))
        try connection.prepare(
            "UPDATE accounts SET used = used + ?, objects = objects + 1 WHERE id = ?",
            place: "accounts"
        ).run(.integer(cost), .integer(access.id))
    }

    private func drop(_ known: Known) throws(StorageError) {
        try change("DELETE FROM objects WHERE id = ?", known.id)
        try connection.prepare(
            "UPDATE accounts SET used = used - ?, objects = objects - 1 WHERE id = ?",
            place: "accounts"
        ).run(.integer(known.size + RelayLimits.objectOverhead), .integer(known.account))
        // Of an account that was removed nothing is left with its last object.
        try change(
            "DELETE FROM accounts WHERE id = ? AND password IS NULL AND objects = 0", known.account)
    }

    /// Deletes an object, whoever put it; nothing happens where there is none.
    func delete(_ name: String, in place: Int64) throws(RelayError) {
        try transaction { () throws(StorageError) in
            if let known = try known(name, in: place) { try drop(known) }
        }
    }

    /// Returns the length of an object; nil where there is none.
    func size(of name: String, in place: Int64) throws(RelayError) -> Int? {
        try reading { () throws(StorageError) in
            try known(name, in: place).map { Int(clamping: $0.size) }
        }
    }

    /// Returns an object; nil where there is none.
    func get(_ name: String, in place: Int64) throws(RelayError) -> [UInt8]? {
        try reading { () throws(StorageError) in
            guard let known = try known(name, in: place) else { return nil }
            return try bytes(of: known.id)
        }
    }

    /// Returns names that begin with a letter, in their order, those behind a mark.
    func names(
        _ letter: String, after mark: String?, in place: Int64
    ) throws(RelayError) -> [String] {
        try reading { () throws(StorageError) in
            var names: [String] = []
            try connection.prepare(
                """
                SELECT name FROM objects WHERE place = ? AND name > ? AND name < ?
                ORDER BY name LIMIT ?
                """, place: "objects"
            ).forEachRow(
                .integer(place), .text(mark ?? "\(letter)/"), .text("\(letter)0"),
                .integer(Int64(RelayLimits.pageNames))
            ) { (row) throws(StorageError) in
                names.append(try row.text(0))
                return true
            }
            return names
        }
    }

    /// Returns the number of a place's last change, and whether another account put something
    /// after the one of `number`.
    func news(
        since number: Int64, for access: RelayAccess
    ) throws(RelayError) -> (number: Int64, isNews: Bool) {
        try reading { () throws(StorageError) in
            let last = try connection.prepare(
                "SELECT number FROM places WHERE id = ?", place: "places"
            ).firstRow(.integer(access.place)) { (row) throws(StorageError) in
                try row.integer(0)
            }
            let found = try connection.prepare(
                "SELECT 1 FROM objects WHERE place = ? AND change > ? AND account <> ? LIMIT 1",
                place: "objects"
            ).firstRow(.integer(access.place), .integer(number), .integer(access.id)) {
                (row) throws(StorageError) in try row.integer(0)
            }
            // A number above the last one is of a state that this relay lost.
            return (last ?? 0, found != nil || number > last ?? 0)
        }
    }

    private func known(_ name: String, in place: Int64) throws(StorageError) -> Known? {
        try connection.prepare(
            "SELECT id, account, size FROM objects WHERE place = ? AND name = ?", place: "objects"
        ).firstRow(.integer(place), .text(name)) { (row) throws(StorageError) in
            Known(
                id: try row.integer(0), account: try row.integer(1), size: try row.integer(2))
        }
    }

    private func bytes(of id: Int64) throws(StorageError) -> [UInt8]? {
        try connection.prepare("SELECT bytes FROM objects WHERE id = ?", place: "objects")
            .firstRow(.integer(id)) { (row) throws(StorageError) in try row.bytes(0) }
    }
}
