import LinnetCRDT
package import LinnetWire

extension RecordReader {
    /// Returns the digest of the visible state of the application's collections as up to 0.1.0, in
    /// one go, which reads every record; see ``DigestWork``.
    package func digest() throws(ReplicaError) -> Bytes32 {
        let work = DigestWork(log.schema)
        while true {
            if let digest = try work.step(self, atMost: .max) { return digest }
        }
    }
}

extension RecordState {
    /// The bytes of what shows, which are equal where the same is shown.
    var canonicalBytes: [UInt8] {
        var writer = CBORWriter()
        writer.array(3)
        writer.unsigned(UInt64(collection))
        writer.text(record.description)
        let fields = visibleContents.filter { !$0.content.isEmpty }
        writer.array(fields.count)
        for (field, content) in fields {
            writer.array(2)
            writer.unsigned(UInt64(field))
            writer.raw(content.visibleBytes)
        }
        if let log = content(of: 0) { writer.raw(log.visibleBytes) }
        return writer.bytes
    }
}

/// The part of the visible state that one hash of the digest covers.
struct DigestPart: Comparable {
    let scope: String
    let collection: UInt32

    /// The bytes that name it, before its hash.
    var head: [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        writer.text(scope)
        writer.unsigned(UInt64(collection))
        return writer.bytes
    }

    static func < (left: DigestPart, right: DigestPart) -> Bool {
        if left.scope.utf8.elementsEqual(right.scope.utf8) {
            return left.collection < right.collection
        }
        return left.scope.utf8.lexicographicallyPrecedes(right.scope.utf8)
    }
}
