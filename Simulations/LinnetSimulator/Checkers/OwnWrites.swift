import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// A writer reads what it wrote.
final class OwnWrites: Checker {
    let invariant = Invariant.causalOrder
    let sights: [Sight.Kind] = [.written]
    private let known: Knowledge

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        guard case .written(let written) = sight, written.receipt.operations > 0,
            !known.views[written.device].isDamaged, !otherShowed(written)
        else { return }
        let device = written.device
        let changes = written.writes.flatMap { write in write.changes.map { (write.key, $0) } }
        // An import changes thousands of records once each.
        var places: [RecordKey: [Int]] = [:]
        for (index, (key, _)) in changes.enumerated() { places[key, default: []].append(index) }
        for (index, (key, change)) in changes.enumerated() {
            let all = places[key] ?? []
            let later = all.filter { $0 > index }.map { changes[$0].1 }
            let isOver =
                later.contains { $0.field == nil || $0.overrides(change) }
                || change.field == nil && !later.isEmpty
            // Of two copies the first one may have filled the text, or come to nothing.
            let isUnsure =
                change.isCopy
                && all.contains {
                    $0 < index && changes[$0].1.isCopy && changes[$0].1.field == change.field
                }
            guard !isOver, !isUnsure else { continue }
            try check(change, of: key, texts: written.texts, device)
            guard case .set(let fields) = change, all.count == 1 else { continue }
            try checkMembers(
                fields, key, before: written.before[key],
                after: known.views[device].records[key], device)
        }
    }

    /// True when more of a backlog came to show in the same call, which may say something else.
    private func otherShowed(_ written: Sight.Written) -> Bool {
        let before = Dictionary(written.rows.map { ($0.index, $0.applied) }) { $1 }
        let own = Set(written.facts.map { known.catalogue.facts[$0].root })
        return known.views[written.device].rows.contains { row in
            let key = ChainKey(scope: row.scope, chain: row.chain)
            return row.applied > before[row.index] ?? 0 && !own.contains(key)
        }
    }

    private func check(
        _ change: Change, of key: RecordKey, texts: [TextPlace: String], _ device: Int
    ) throws(Violation) {
        let state = known.views[device].records[key]
        let collection = known.schema(of: device).collection(id: key.collection)
        guard let collection, !shows(change, of: key, in: state, collection, texts) else { return }
        let what = change.field.map { "field \($0) of \(key.record)" } ?? "record \(key.record)"
        throw violation("\(what) is not what was written", on: device)
    }

    /// True when a reader finds what a change asked for.
    private func shows(
        _ change: Change, of key: RecordKey, in state: RecordState?, _ collection: Collection,
        _ texts: [TextPlace: String]
    ) -> Bool {
        switch change {
        case .delete: return state?.isLive != true
        case .restore: return state?.isLive ?? true
        case .insert(let fields):
            guard case .log(let log)? = state?.content(of: 0) else { return false }
            return log.entries.contains { $0.payload == Self.payload(fields, collection) }
        default: break
        }
        guard let id = change.field, let field = collection.field(id: id) else { return false }
        switch (change, state?.content(of: id)) {
        case (.set(let written), .extreme(let extreme)?):
            // What stands may be beyond what was written, never short of it.
            guard let value = written.values.first?.value, let payload = try? value.encoded() else {
                return false
            }
            var shown = extreme
            return Extreme(
                extreme.end, payload: payload, stamp: .ceiling, position: extreme.position
            ).map { !shown.merge($0) } ?? false
        case (.set(let written), let content?):
            guard let values = content.values(of: field), !content.isConflicting else {
                return false
            }
            return written.values.allSatisfy {
                values.indices.contains($0.member) && values[$0.member] == $0.value
            }
        case (.count(_, let key, let amount), .tally(let tally)?):
            return tally.amount(of: Array(key.utf8)) == amount.number
        case (.recount(_, let amount), .tally(let tally)?):
            return tally.total == amount.number
        case (.add(_, let value), .elements(let set)?):
            return (try? value.encoded()).map(set.contains) == true
        case (.remove(_, let value), let content):
            guard case .elements(let set)? = content else { return true }
            return (try? value.encoded()).map(set.contains) == false
        case (.edit, let content), (.rewrite, let content), (.splice, let content):
            guard let wanted = texts[TextPlace(record: key, field: id)] else { return true }
            guard case .text(let text)? = content else { return wanted.isEmpty }
            return text.string.utf8.elementsEqual(wanted.utf8)
        case (.copy(_, let pieces), let content):
            var shown = ""
            if case .text(let text)? = content { shown = text.string }
            if let kept = texts[TextPlace(record: key, field: id)] { return shown == kept }
            return shown.isEmpty || shown == pieces.map(\.insertion.string).joined()
        default: return false
        }
    }

    /// A record of a log, as its operation carries it.
    static func payload(_ fields: [FieldValues], _ collection: Collection) -> [UInt8] {
        let cells = fields.sorted { $0.field < $1.field }.compactMap { written -> LogCell? in
            guard let field = collection.field(id: written.field),
                let payload = try? field.payload(of: written.values)
            else { return nil }
            return LogCell(field: written.field, payload: payload)
        }
        return LogCell.encode(cells)
    }

    /// The members of a group that a write leaves out keep what showed, or are null in a new life.
    private func checkMembers(
        _ written: FieldWrite, _ key: RecordKey, before: RecordState?, after: RecordState?,
        _ device: Int
    ) throws(Violation) {
        let schema = known.schema(of: device)
        guard let field = schema.collection(id: key.collection)?.field(id: written.field),
            let shown = after?.visible(field: written.field),
            let values = try? field.values(of: shown.payload), values.count > 1
        else { return }
        let old = before.flatMap { $0.isLive ? $0.visible(field: written.field) : nil }
            .flatMap { try? field.values(of: $0.payload) }
        for (member, value) in values.enumerated()
        where !written.values.contains(where: { $0.member == member }) {
            let kept = old.flatMap { $0.indices.contains(member) ? $0[member] : nil } ?? .null
            guard value != kept else { continue }
            throw violation(
                "a member of field \(written.field) of \(key.record) changed unasked", on: device)
        }
    }
}

extension Value {
    fileprivate var number: Decimal64? {
        switch self {
        case .int(let number): Decimal64(mantissa: number, exponent: 0)
        case .decimal(let number): number
        default: nil
        }
    }
}

extension Change {
    fileprivate var isCopy: Bool { if case .copy = self { true } else { false } }

    /// True when a later change of the same record leaves nothing to be seen of an earlier one.
    fileprivate func overrides(_ earlier: Change) -> Bool {
        guard let field, field == earlier.field else { return false }
        switch (self, earlier) {
        case (.count(_, let key, _), .count(_, let other, _)): return key == other
        case (.add(_, let value), .add(_, let other)), (.add(_, let value), .remove(_, let other)),
            (.remove(_, let value), .add(_, let other)),
            (.remove(_, let value), .remove(_, let other)):
            return value == other
        default: return true
        }
    }
}
