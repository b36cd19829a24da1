package import Linnet
package import LinnetControl
import LinnetReplication

extension ControlReceipt {
    /// The outcome of the writes, for a program.
    package var outcomeMembers: [JSON.Member] {
        let name: String
        var hidden: [HiddenWrite] = []
        var total = 0
        switch outcome {
        case .visible: name = "visible"
        case .unchanged: name = "unchanged"
        case .unknown: name = "unknown"
        case .hidden(let writes, let count):
            name = "hidden"
            hidden = writes
            total = count
        }
        return [
            JSON.Member("outcome", .text(name)), JSON.Member("hiddenCount", .integer(total)),
            JSON.Member("hidden", .array(hidden.map(\.json))),
        ]
    }
}

extension HiddenWrite {
    fileprivate var json: JSON {
        [
            "collection": .text(collection), "id": .text(id),
            "field": field.map(JSON.text) ?? .null, "reason": .text(reason.name),
        ]
    }
}
