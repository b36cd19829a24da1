import Glibc
import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire

/// A home of a member as it lies on the disk, which each input gets a copy of.
final class FuzzedHome: Sendable {
    static let start = Moment(wallMilliseconds: 1_800_000_000_000, uptimeMilliseconds: 1_000)
    static let schema = LinnetCRDT.Schema.fuzzed
    /// The seeds of the two devices of the group: of the one that hears, and the one that speaks.
    static let hearer: UInt8 = 1
    static let speaker: UInt8 = 2
    /// The home, made once.
    static let shared = FuzzedSetup.made { try FuzzedHome() }

    let log: MembershipLog
    /// The bytes of the database.
    private let image: [UInt8]

    private init() throws {
        var entropy = Self.entropy(9)
        let founder = Self.keys(Self.hearer)
        var log = try MembershipLog.founded(by: founder, entropy: &entropy)
        let member = Self.keys(Self.speaker)
        let ring = KeyRing(log: log, keys: founder)
        _ = try log.insert(
            log.makeAdd(
                member.certificate, role: .member, ring: ring, keys: founder, entropy: &entropy))
        self.log = log
        let path = Self.path(0)
        defer { Self.remove(path) }
        let store = try SQLiteStore(
            path: path, databaseKey: founder.databaseKey, noncePrefix: entropy.bytes(16))
        try store.begin(.full)
        for record in log.records {
            try store.appendMemberRecord(id: record.id, bytes: record.encoded)
        }
        try store.commit()
        try store.close()
        var replica = try Self.open(path, Self.hearer)
        for number in 0..<4 {
            _ = try replica.commit([Self.write("r\(number)", "value")], at: Self.start)
        }
        try replica.close()
        guard let image = Self.read(path) else { throw StorageError.outOfRange }
        self.image = image
    }

    /// A write of the honest device.
    static func write(_ record: String, _ text: String) -> Write {
        guard let id = RecordID(record) else { preconditionFailure("letters are legal") }
        return .set(collection: 2_000, record: id, fields: [FieldWrite(1, .text(text))])
    }

    static func keys(_ seed: UInt8) -> DeviceKeys {
        var entropy = entropy(seed)
        return DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
    }

    static func entropy(_ seed: UInt8) -> Entropy {
        Entropy(seed: SecretBytes(copying: [UInt8](repeating: seed, count: 32)))
    }

    /// Opens a copy of the home.
    static func open(_ path: String, _ seed: UInt8, life: UInt8 = 0) throws -> Replica {
        let keys = keys(seed)
        var entropy = entropy(100 + seed + life)
        let store = try SQLiteStore(
            path: path, databaseKey: keys.databaseKey, noncePrefix: entropy.bytes(16))
        return try Replica.open(
            store: store, keys: keys, schema: schema, entropy: entropy, witness: .missing,
            at: start)
    }

    // MARK: Files

    /// Writes a copy of the home and returns its path.
    func copy(_ number: Int) -> String {
        let path = Self.path(number)
        Self.remove(path)
        guard let file = unsafe fopen(path, "w") else { return path }
        unsafe fwrite(image, 1, image.count, file)
        unsafe fclose(file)
        return path
    }

    static func path(_ number: Int) -> String {
        "/dev/shm/linnet-fuzz-\(getpid())-\(number).sqlite"
    }

    static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unsafe unlink(path + suffix) }
    }

    static func read(_ path: String) -> [UInt8]? {
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe fread(&piece, 1, piece.count, file)
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
        }
    }
}

extension LinnetCRDT.Schema {
    /// A schema with every kind of field.
    fileprivate static let fuzzed: LinnetCRDT.Schema = FuzzedSetup.made {
        try LinnetCRDT.Schema(
            version: 1,
            collections: [
                Collection(
                    id: 2_000, name: "notes", scope: "notes",
                    fields: [
                        Field(id: 1, name: "text", type: .text),
                        Field(id: 2, name: "labels", kind: .mv, type: .text),
                        Field(id: 3, name: "pieces", kind: .tally, type: .int),
                        Field(id: 4, name: "body", kind: .text),
                        Field(id: 5, name: "marks", kind: .set, type: .text),
                        Field(id: 6, name: "place", kind: .order),
                    ]),
                Collection.log(
                    id: 2_001, name: "entries", scope: .always("notes"),
                    fields: [Field(id: 1, name: "word", type: .text)]),
            ])
    }
}

/// Makes the surroundings of an input. An input that is played without them proves nothing, so a
/// failure ends the process.
enum FuzzedSetup {
    static func made<Result: ~Copyable>(_ make: () throws -> Result) -> Result {
        do {
            return try make()
        } catch {
            preconditionFailure("the surroundings of an input cannot be made: \(error)")
        }
    }
}
