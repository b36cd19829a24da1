import LinnetCRDT
import LinnetCrypto
import LinnetWire

/// A place in the order of a query, which is that of the last record of a page.
///
/// As text it is opaque, but no more secret than the record: it holds the values by which the
/// record was sorted.
struct QueryCursor: Sendable {
    private static let version: UInt64 = 2

    /// The values by which the record is sorted.
    let keys: [Value]
    /// The record.
    let id: RecordID

    /// Takes the place of a record.
    init(_ view: RecordView, in bound: BoundQuery) {
        keys = bound.keys(of: view)
        id = view.id
    }

    /// Reads what `text` made for a query of the same collection in the same order.
    init(_ text: String, of query: Query) throws(SchemaError) {
        guard let bytes = TextAlphabet.base64URL.decode(text),
            let read = Self.read(bytes, of: query)
        else {
            throw .badCursor
        }
        (keys, id) = read
    }

    private static func read(
        _ bytes: [UInt8], of query: Query
    ) -> (keys: [Value], id: RecordID)? {
        do {
            var reader = CBORReader(bytes, maxItems: max(Limits.cborItems, bytes.count))
            try reader.array(exactly: 4)
            guard try reader.unsigned() == version, try reader.bytes() == check(of: query),
                let id = RecordID(try reader.text())
            else { return nil }
            try reader.array(exactly: query.sort.count)
            var keys: [Value] = []
            for _ in query.sort { keys.append(try reader.whole()) }
            try reader.finish()
            return (keys, id)
        } catch {
            return nil
        }
    }

    /// Returns the place as text, for a query.
    func text(of query: Query) -> String {
        var writer = CBORWriter()
        writer.array(4)
        writer.unsigned(Self.version)
        writer.bytes(Self.check(of: query))
        writer.text(id.description)
        writer.array(keys.count)
        for key in keys { writer.whole(key) }
        return TextAlphabet.base64URL.encode(writer.bytes)
    }

    /// Returns the bytes that tell the places in one order from those in another.
    private static func check(of query: Query) -> [UInt8] {
        var writer = CBORWriter()
        writer.text(query.collection)
        writer.array(query.sort.count)
        for key in query.sort {
            writer.text(key.field)
            writer.bool(key.isDescending)
        }
        return Array(Hash.blake2b(.check, writer.bytes).prefix(8))
    }
}
