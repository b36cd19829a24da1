import LinnetCRDT
package import LinnetWire

extension RecordReader {
    /// Returns the digest of the visible state of the application's collections, in one go; see
    /// ``DigestWork``.
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
