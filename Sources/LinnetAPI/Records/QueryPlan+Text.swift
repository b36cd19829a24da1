package import Linnet
import LinnetCRDT
package import LinnetReplication

extension QueryPlan {
    /// The plan as a sentence without its subject.
    package var sentence: String {
        switch self {
        case .scan: "reads every record of the collection"
        case .identifiers: "reads the records in order of their identifiers, until there are enough"
        case .index(let field, let kind, let use):
            "uses the \(kind.rawValue) index of \(TerminalText.neutral(field)) "
                + use.sentence
        }
    }

    /// The plan as an object.
    package var json: JSON {
        switch self {
        case .scan: return ["plan": "scan"]
        case .identifiers: return ["plan": "identifiers"]
        case .index(let field, let kind, let use):
            return [
                "plan": "index", "field": .text(field), "index": .text(kind.rawValue),
                "use": .text(use.name),
            ]
        }
    }
}

extension QueryPlan.Use {
    fileprivate var name: String {
        switch self {
        case .exact: "exact"
        case .range: "range"
        case .order: "order"
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .exact: "to find the records with one value"
        case .range: "to find the records between two values"
        case .order: "to read in its order, until there are enough"
        }
    }
}
