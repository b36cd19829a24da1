package import Linnet
import LinnetAPI
package import LinnetControl

/// Fills new fields from those that they replace, by ordinary writes.
package enum SchemaCopies {
    /// Copies the values that new fields lack; returns their number.
    ///
    /// A device that upgrades later finds the fields filled. Two that upgrade at once write the
    /// same, which merges into one.
    package static func carryOut(
        _ file: SchemaFile, _ gateway: Gateway
    ) async throws(ControlFailure) -> Int {
        var count = 0
        for copy in file.copies {
            guard let collection = file.schema.collection(id: copy.collection),
                let field = collection.field(id: copy.field),
                let source = collection.field(id: copy.source)
            else { continue }
            let writes = FieldCopying.writes(
                for: try await gateway.records(of: collection), into: field, from: source,
                of: collection)
            if writes.isEmpty { continue }
            try WriteReport.check(try await gateway.write(writes))
            count += writes.count
        }
        return count
    }
}
