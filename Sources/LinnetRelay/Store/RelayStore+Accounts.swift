import LinnetStorage
import LinnetSystem
import LinnetWire

extension RelayStore {
    /// Throws where a name is none for an account or a place.
    package static func check(_ name: String) throws(RelayError) {
        let isRight =
            (1...RelayLimits.nameBytes).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (0x61...0x7a).contains($0 | 0x20) || (0x30...0x39).contains($0)
                    || "-._".utf8.contains($0)
            }
        if !isRight { throw .badName(name) }
    }

    /// Makes an account and returns its password, which is kept nowhere.
    package func add(
        _ name: String, place: String, quota: Int64 = RelayLimits.usualQuota
    ) throws(RelayError) -> String {
        for name in [name, place] { try Self.check(name) }
        let password = RelayPassword.draw()
        let hash = RelayPassword.hash(Array(password.utf8))
        let isNew = try transaction { () throws(StorageError) in
            guard try account(named: name) == nil else { return false }
            try connection.prepare(
                "INSERT INTO places (name) VALUES (?) ON CONFLICT DO NOTHING", place: "places"
            ).run(.text(place))
            try connection.prepare(
                """
                INSERT INTO accounts (name, place, password, quota, made)
                SELECT ?, id, ?, ?, ? FROM places WHERE name = ?
                """, place: "accounts"
            ).run(
                .text(name), .bytes(hash), .integer(quota),
                .integer(SystemClock.now().wallMilliseconds), .text(place))
            return true
        }
        guard isNew else { throw .known(name) }
        return password
    }

    /// The accounts, by their places and names.
    package func accounts() throws(RelayError) -> [RelayAccount] {
        try reading { () throws(StorageError) in
            var found: [RelayAccount] = []
            try connection.prepare(
                """
                SELECT a.name, p.name, quota, used, objects, last FROM accounts a
                JOIN places p ON p.id = a.place WHERE password IS NOT NULL ORDER BY 2, 1
                """, place: "accounts"
            ).forEachRow { (row) throws(StorageError) in
                found.append(
                    RelayAccount(
                        name: try row.text(0), place: try row.text(1), quota: try row.integer(2),
                        used: try row.integer(3), objects: try row.integer(4),
                        lastUseMilliseconds: row.isNull(5) ? nil : try row.integer(5)))
                return true
            }
            return found
        }
    }

    /// Shuts an account out. What it put stays for the others of its place; with the last account
    /// goes the place and all that lies there. Returns true when that was so.
    @discardableResult
    package func remove(_ name: String) throws(RelayError) -> Bool {
        let outcome = try transaction { () throws(StorageError) -> Bool? in
            guard let (access, _) = try account(named: name) else { return nil }
            try change("UPDATE accounts SET password = NULL WHERE id = ?", access.id)
            try change("DELETE FROM accounts WHERE id = ? AND objects = 0", access.id)
            let others = try connection.prepare(
                "SELECT count(*) FROM accounts WHERE place = ? AND password IS NOT NULL",
                place: "accounts"
            ).firstRow(.integer(access.place)) { (row) throws(StorageError) in
                try row.integer(0)
            }
            guard others == 0 else { return false }
            try change("DELETE FROM objects WHERE place = ?", access.place)
            try change("DELETE FROM accounts WHERE place = ?", access.place)
            try change("DELETE FROM places WHERE id = ?", access.place)
            return true
        }
        guard let outcome else { throw .unknown(name) }
        return outcome
    }

    /// Returns the account that a name and its password open; nil for all that is wrong.
    func access(_ name: String, password: [UInt8]) throws(RelayError) -> RelayAccess? {
        let found = try reading { () throws(StorageError) in try account(named: name) }
        return RelayPassword.isRight(password, for: found?.hash) ? found?.access : nil
    }

    /// True while an account is there.
    func isThere(_ access: RelayAccess) throws(RelayError) -> Bool {
        try reading { () throws(StorageError) in try quota(of: access) != nil }
    }

    /// Writes down that an account was used.
    func noteUse(of access: RelayAccess, at wallMilliseconds: Int64) throws(RelayError) {
        try transaction { () throws(StorageError) in
            try connection.prepare("UPDATE accounts SET last = ? WHERE id = ?", place: "accounts")
                .run(.integer(wallMilliseconds), .integer(access.id))
        }
    }

    /// Returns the quota of an account and what is used of it; nil where it is gone.
    func quota(of access: RelayAccess) throws(StorageError) -> (quota: Int64, used: Int64)? {
        try connection.prepare(
            "SELECT quota, used FROM accounts WHERE id = ? AND password IS NOT NULL",
            place: "accounts"
        ).firstRow(.integer(access.id)) { (row) throws(StorageError) in
            (try row.integer(0), try row.integer(1))
        }
    }

    private func account(
        named name: String
    ) throws(StorageError) -> (access: RelayAccess, hash: [UInt8])? {
        try connection.prepare(
            "SELECT id, place, password FROM accounts WHERE name = ? AND password IS NOT NULL",
            place: "accounts"
        ).firstRow(.text(name)) { (row) throws(StorageError) in
            (
                RelayAccess(id: try row.integer(0), place: try row.integer(1)),
                try row.bytes(2, count: 32)
            )
        }
    }

    /// Runs a statement about one number.
    func change(_ sql: String, _ number: Int64) throws(StorageError) {
        try connection.prepare(sql, place: "file").run(.integer(number))
    }
}
