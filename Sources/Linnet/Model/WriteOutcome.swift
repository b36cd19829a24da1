import LinnetCRDT
public import LinnetReplication

/// Whether what a transaction wrote shows on this device.
public enum WriteOutcome: Equatable, Sendable {
    /// All of it shows.
    case visible
    /// Everything was so already: nothing was written.
    case unchanged
    /// Some of it does not show: the first 64 such changes, and how many there are.
    case hidden([HiddenWrite], count: Int)
    /// It is not known: an earlier release carried the intent out and did not note it.
    case unknown
}

/// A change that does not show, and why.
public struct HiddenWrite: Equatable, Sendable {
    /// The name of the collection.
    public let collection: String
    /// The record's identifier.
    public let id: String
    /// The name of the field; nil when it is the record as a whole.
    public let field: String?
    /// Why it does not show.
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
    /// What became of the change and what to do, for a person.
    public var description: String {
        let place = "\(collection)/\(id)" + (field.map { ", \($0)" } ?? "")
        return "\(place): \(reason)"
    }
}

extension HiddenReason: CustomStringConvertible {
    /// Why a change does not show and what to do, as the end of a sentence.
    public var description: String {
        switch self {
        case .ceiling:
            "it was written but does not show, because what stands there has the largest timestamp"
                + " that there is, which no write passes; delete the record, then write it anew"
        case .ceilingForGood:
            "it was written but does not show, because what stands there has the largest timestamp"
                + " that there is, which no write passes, and the record cannot be deleted;"
                + " use another record"
        case .counted:
            "it was written but changes nothing, because whoever counted last had counted this in;"
                + " count anew, or use another key"
        case .tooMany:
            "it was written but does not show as asked, because more stands there than one write"
                + " replaces; write it again"
        case .lastGeneration:
            "it was not written, because the record was deleted and created as often as can be"
                + " counted; use another record"
        case .contradiction:
            "it was written but counts nowhere, because the record holds something of another kind"
                + " there; use another record"
        }
    }
}

extension WriteOutcome {
    init(_ receipt: CommitReceipt, in schema: LinnetCRDT.Schema) {
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
    init(_ hidden: HiddenOperation, in schema: LinnetCRDT.Schema) {
        let collection = schema.collection(id: hidden.key.collection)
        self.init(
            collection: collection?.name ?? "\(hidden.key.collection)",
            id: hidden.key.record.description,
            field: hidden.field == 0
                ? nil : collection?.field(id: hidden.field)?.name ?? "\(hidden.field)",
            reason: hidden.reason)
    }
}
