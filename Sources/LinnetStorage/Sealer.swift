internal import LinnetCrypto
internal import LinnetWire

/// A table whose rows are sealed, each under its own key.
enum SealedTable: String {
    case meta, records, peers, intents, lanes, pages

    /// The layout of the sealed content, part of what is authenticated.
    static let rowVersion: UInt32 = 1
}

/// Seals the content of rows and opens them again.
///
/// A row is `nonce (24) || XChaCha20-Poly1305`; its table, its primary key and its version are the
/// associated data, so that a row moved to another place does not open.
struct Sealer: ~Copyable {
    private let meta: SecretBytes
    private let records: SecretBytes
    private let peers: SecretBytes
    private let intents: SecretBytes
    private let lanes: SecretBytes
    private let pages: SecretBytes
    private let intentIndex: SecretBytes
    private let entryIndex: SecretBytes
    private let noncePrefix: [UInt8]
    private var sealed: UInt64 = 0

    /// Derives a key for each table; `noncePrefix` is 16 random bytes never used before.
    init(databaseKey: borrowing SecretBytes, noncePrefix: [UInt8]) {
        precondition(noncePrefix.count == 16, "a nonce prefix has 16 bytes")
        meta = Self.key(for: .meta, from: databaseKey)
        records = Self.key(for: .records, from: databaseKey)
        peers = Self.key(for: .peers, from: databaseKey)
        intents = Self.key(for: .intents, from: databaseKey)
        lanes = Self.key(for: .lanes, from: databaseKey)
        pages = Self.key(for: .pages, from: databaseKey)
        intentIndex = KeyDerivation.derive(
            databaseKey, .index, Array(SealedTable.intents.rawValue.utf8))
        entryIndex = KeyDerivation.derive(databaseKey, .index, Array("entries".utf8))
        self.noncePrefix = noncePrefix
    }

    /// Seals the content of the row with this primary key.
    mutating func seal(_ table: SealedTable, _ primaryKey: [UInt8], _ content: [UInt8]) -> [UInt8] {
        sealed += 1
        var nonce = noncePrefix
        BigEndian.append(sealed, to: &nonce)
        let data = Self.associatedData(table, primaryKey)
        return switch table {
        case .meta:
            XChaCha.sealWithNonce(
                key: meta, nonce: nonce, plaintext: content, associatedData: data)
        case .records:
            XChaCha.sealWithNonce(
                key: records, nonce: nonce, plaintext: content, associatedData: data)
        case .peers:
            XChaCha.sealWithNonce(
                key: peers, nonce: nonce, plaintext: content, associatedData: data)
        case .intents:
            XChaCha.sealWithNonce(
                key: intents, nonce: nonce, plaintext: content, associatedData: data)
        case .lanes:
            XChaCha.sealWithNonce(
                key: lanes, nonce: nonce, plaintext: content, associatedData: data)
        case .pages:
            XChaCha.sealWithNonce(
                key: pages, nonce: nonce, plaintext: content, associatedData: data)
        }
    }

    /// Opens what `seal` made for the same table and primary key.
    func open(
        _ table: SealedTable, _ primaryKey: [UInt8], _ row: [UInt8], version: UInt32
    ) throws(StorageError) -> [UInt8] {
        guard version == SealedTable.rowVersion else { throw .corrupt(where: table.rawValue) }
        let data = Self.associatedData(table, primaryKey)
        do throws(CryptoError) {
            return switch table {
            case .meta: try XChaCha.openWithNonce(key: meta, box: row, associatedData: data)
            case .records: try XChaCha.openWithNonce(key: records, box: row, associatedData: data)
            case .peers: try XChaCha.openWithNonce(key: peers, box: row, associatedData: data)
            case .intents: try XChaCha.openWithNonce(key: intents, box: row, associatedData: data)
            case .lanes: try XChaCha.openWithNonce(key: lanes, box: row, associatedData: data)
            case .pages: try XChaCha.openWithNonce(key: pages, box: row, associatedData: data)
            }
        } catch {
            throw .corrupt(where: table.rawValue)
        }
    }

    /// Opens the row of a record, of which many are opened one after the other.
    func openRecord(
        collection: UInt32, _ id: [UInt8], _ row: [UInt8], version: UInt32
    ) throws(StorageError) -> [UInt8] {
        guard version == SealedTable.rowVersion else { throw .corrupt(where: "records") }
        var data: [UInt8] = []
        data.reserveCapacity(id.count + 15)
        data.append(contentsOf: Self.recordsName)
        BigEndian.append(collection, to: &data)
        data.append(contentsOf: id)
        BigEndian.append(SealedTable.rowVersion, to: &data)
        do throws(CryptoError) {
            return try XChaCha.openWithNonce(key: records, box: row, associatedData: data)
        } catch {
            throw .corrupt(where: "records")
        }
    }

    private static let recordsName = Array(SealedTable.records.rawValue.utf8)

    /// The key under which an intent is found, without the file showing the intent itself.
    func index(ofIntent intent: [UInt8]) -> [UInt8] {
        Hash.keyed(by: intentIndex, .index, intent, count: 16)
    }

    /// The key under which records are found that hold a value, without the file showing it.
    func index(of key: [UInt8], collection: UInt32, field: UInt32) -> [UInt8] {
        var place: [UInt8] = []
        BigEndian.append(collection, to: &place)
        BigEndian.append(field, to: &place)
        return Hash.keyed(by: entryIndex, .index, place, key, count: 16)
    }

    private static func key(
        for table: SealedTable, from databaseKey: borrowing SecretBytes
    ) -> SecretBytes {
        KeyDerivation.derive(databaseKey, .cell, Array(table.rawValue.utf8))
    }

    private static func associatedData(_ table: SealedTable, _ primaryKey: [UInt8]) -> [UInt8] {
        var name = table.rawValue
        var data: [UInt8] = []
        data.reserveCapacity(name.utf8.count + primaryKey.count + 4)
        name.withUTF8 { unsafe data.append(contentsOf: $0) }
        data.append(contentsOf: primaryKey)
        BigEndian.append(SealedTable.rowVersion, to: &data)
        return data
    }
}
