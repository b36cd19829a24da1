import LinnetCRDT
import LinnetWire

extension Schema {
    /// The number that grows when a version merges more, or anything otherwise, so that everything
    /// is folded again.
    private static var engineVersion: UInt64 { 5 }

    /// The mark that the store keeps to tell whether its records were merged as they would be now.
    var foldMark: [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        writer.unsigned(Self.engineVersion)
        writeStructure(to: &writer)
        return writer.bytes
    }

    /// Writes what decides how operations are merged, in canonical CBOR: numbers, kinds, scopes,
    /// policies and types, but no name and no index.
    private func writeStructure(to writer: inout CBORWriter) {
        writer.array(collections.count)
        for collection in collections {
            writer.array(6)
            writer.unsigned(UInt64(collection.id))
            writer.unsigned(UInt64(collection.kind.rawValue))
            writer.unsigned(UInt64(collection.deletePolicy.rawValue))
            writer.text(collection.scope.name)
            switch collection.scope {
            case .always: writer.unsigned(0)
            case .optional: writer.unsigned(5)
            case .divided(_, let division): writer.unsigned(UInt64(division.rawValue))
            }
            writer.array(collection.fields.count)
            for field in collection.fields {
                writer.array(3)
                writer.unsigned(UInt64(field.id))
                writer.unsigned(UInt64(field.kind.rawValue))
                writer.array(field.members.count)
                for member in field.members { writer.text(member.type.name) }
            }
        }
    }
}
