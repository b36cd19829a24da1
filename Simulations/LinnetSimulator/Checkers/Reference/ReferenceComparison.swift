import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// Comparisons of stored records with what they must be.
extension ReferenceFold {
    /// A sentence; nil when nothing differs.
    func difference(_ expected: Folded?, _ state: RecordState?) -> String? {
        guard let expected else {
            return state == nil ? nil : "it shows although nothing that was applied mentions it"
        }
        guard let state else { return "it is missing" }
        if state.generation != expected.generation {
            return "it is in life \(state.generation) and should be in \(expected.generation)"
        }
        if state.isLive != expected.isLive {
            return "it is \(state.isLive ? "" : "not ")live and should\(state.isLive ? " not" : "")"
        }
        if expected.knowsDeletion {
            if state.restored != expected.restored {
                return "it was restored in \(state.restored) and should in \(expected.restored)"
            }
            let known = state.deletion.map { ($0.stamp, $0.position) }
            let same =
                known == nil && expected.deletion == nil
                || known.flatMap { known in expected.deletion.map { known == $0 } } == true
            if !same { return "its deletion is not the latest" }
        }
        for (slot, content) in state.contents {
            guard let wanted = expected.contents[slot] else {
                return "field \(slot.field) shows although nothing wrote it"
            }
            guard let problem = difference(wanted, content) else { continue }
            return "field \(slot.field) \(problem)"
        }
        guard state.contents.count == expected.contents.count else { return "fields are missing" }
        return nil
    }

    private func difference(_ wanted: ReferenceContent, _ content: FieldContent) -> String? {
        switch (wanted, content) {
        case (.register(let wanted), .register(let state)):
            let actual = FieldValue(state)
            return wanted == actual ? nil : "is \(actual) and should be \(wanted)"
        case (.values(let wanted), .values(let values)):
            let shown = values.visible.map {
                ReferenceContent.Standing(stamp: $0.stamp, place: $0.position, payload: $0.payload)
            }
            var different: [ReferenceContent.Standing] = []
            for value in wanted where !different.contains(where: { $0.payload == value.payload }) {
                different.append(value)
            }
            let isSame =
                shown == Array(different.prefix(MultiValue.visibleValues))
                && values.positions == wanted.map(\.place).sorted()
            return isSame ? nil : "shows \(shown.count) values and should show \(wanted.count)"
        case (.tally(let wanted), .tally(let tally)):
            return difference(wanted, tally)
        case (.elements(let wanted), .elements(let set)):
            return set.elements == wanted
                ? nil : "has \(set.count) elements and should have \(wanted.count)"
        case (.text(let wanted), .text(let document)):
            let actual = document.string
            return actual.utf8.elementsEqual(wanted.utf8)
                ? nil : "reads '\(actual)' and should read '\(wanted)'"
        case (.extreme(let wanted), .extreme(let extreme)):
            let actual = ReferenceContent.Standing(
                stamp: extreme.stamp, place: extreme.position, payload: extreme.payload)
            return actual == wanted.first && (extreme.end == .smallest) == wanted.isSmallest
                ? nil : "is not \(wanted.value) of whoever wrote that first"
        case (.log(let wanted), .log(let log)):
            let actual = log.entries.map {
                ReferenceContent.Standing(stamp: $0.stamp, place: $0.position, payload: $0.payload)
            }
            return actual == wanted
                ? nil : "has \(actual.count) contents and should have \(wanted.count)"
        case (.writes(let wanted), .writes(let known)):
            return known.lasts == wanted ? nil : "knows of other writes than there were"
        default:
            return "is of another kind than what was written"
        }
    }

    private func difference(_ wanted: ReferenceTally, _ tally: Tally) -> String? {
        if tally.total != wanted.total {
            return "counts \(tally.total) and should count \(wanted.total)"
        }
        if tally.base?.position != wanted.base { return "starts from another count" }
        let lines = tally.keys.map {
            ReferenceTally.Line(key: $0.key, amount: $0.amount, isCovered: $0.isCovered)
        }
        return lines == wanted.lines ? nil : "has other keys than were counted"
    }
}
