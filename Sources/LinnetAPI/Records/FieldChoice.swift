package import Linnet
package import LinnetCRDT
package import LinnetControl

/// Finds a field by its name, or by the name of one member of a group.
package enum FieldChoice {
    /// Returns the field; the failure names the nearest one, or all that there are.
    package static func field(
        _ name: String, in collection: Collection
    ) throws(ControlFailure) -> Field {
        if let field = collection.fields.first(where: { $0.name == name }) { return field }
        return try Column.named(name, in: collection).field
    }
}

extension Explanation {
    /// True when nothing that is known was ever written to the field.
    package var saysNothing: Bool {
        value == nil && winners.isEmpty && others.isEmpty && waiting.isEmpty
    }
}
