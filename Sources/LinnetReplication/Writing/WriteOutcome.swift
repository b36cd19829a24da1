public import LinnetCRDT

/// The outcome of a transaction: whether what it wrote shows on this device.
public enum WriteOutcome: Equatable, Sendable {
    /// All of it shows.
    case visible
    /// Everything was so already, and nothing was written.
    case unchanged
    /// Some of it does not show: these are the first 64 such changes, and the number of all.
    case hidden([HiddenWrite], count: Int)
    /// It is not known whether it shows: an earlier release carried the intent out and did not note
    /// it.
    case unknown
}

/// A change that does not show, and the reason.
public struct HiddenWrite: Equatable, Sendable {
    /// The name of the collection.
    public let collection: String
    /// The record's identifier.
    public let id: String
    /// The name of the field; nil when the record as a whole does not show.
    public let field: String?
    /// The reason why it does not show.
    public let reason: HiddenReason

    /// Joins the facts.
    package init(collection: String, id: String, field: String?, reason: HiddenReason) {
        self.collection = collection
        self.id = id
        self.field = field
        self.reason = reason
    }
}

extension HiddenWrite: CustomStringConvertible {
    /// A sentence for a person on what became of the change and what to do.
    public var description: String {
        let place = "\(collection)/\(id)" + (field.map { ", \($0)" } ?? "")
        return "\(place): \(reason)"
    }
}

extension WriteOutcome {
    /// Says what a commit came to, with the names of a schema.
    package init(_ receipt: CommitReceipt, in schema: Schema) {
        guard let hidden = receipt.hidden else {
            self = .unknown
            return
        }
        if hidden.count > 0 {
            self = .hidden(
                hidden.named.map { HiddenWrite($0, in: schema) }, count: hidden.count)
        } else {
            self = receipt.operations == 0 ? .unchanged : .visible
        }
    }
}

extension HiddenWrite {
    init(_ hidden: HiddenOperation, in schema: Schema) {
        let collection = schema.collection(id: hidden.key.collection)
        self.init(
            collection: collection?.name ?? "\(hidden.key.collection)",
            id: hidden.key.record.description,
            field: hidden.field == 0
                ? nil : collection?.field(id: hidden.field)?.name ?? "\(hidden.field)",
            reason: hidden.reason)
    }
}
