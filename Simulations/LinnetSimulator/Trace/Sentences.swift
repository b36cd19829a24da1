import LinnetCRDT
import LinnetReplication
import LinnetWire

extension Action {
    /// The event in words, for a person who reads the story of a failure.
    var sentence: String {
        switch kind {
        case .write(let device, let request): "\(device) \(request.sentence)"
        case .flush(let device): "\(device) flushes"
        case .meet(let left, let right, let lasting, let weather):
            "\(left) meets \(right) for \(lasting) ms" + (weather.isCalm ? "" : " in bad weather")
        case .pair(let newcomer, let member, let way):
            "\(newcomer) asks \(member) to join, by \(way)"
        case .crash(let device, let point, let downFor):
            "\(device) is to crash (\(point)), down for \(downFor) ms"
        case .storm(let device, let times): "\(device) crashes \(times) times in a row"
        case .suspend(let device, let time): "\(device) sleeps for \(time) ms"
        case .clock(let device, let change): "the clock of \(device) goes wrong: \(change)"
        case .disk(let device, let trouble): "the disk of \(device) is to fail: \(trouble)"
        case .block(let routes, let lasting, let kind):
            "\(kind) for \(lasting) ms: "
                + routes.map { "\($0.from)>\($0.to)" }.joined(separator: " ")
        case .backUp(let device): "\(device) is backed up"
        case .restore(let device, let way): "\(device) is restored (\(way))"
        case .clone(let device, let withWitness):
            "a copy of \(device) starts" + (withWitness ? ", witness and all" : "")
        case .change(let device, let version): "\(device) runs version \(version + 1)"
        case .garbage(let device): "a stranger sends nonsense to \(device)"
        case .replay(let device): "a stranger sends old bytes to \(device)"
        case .deed(let device, let deed):
            "\(device) \(deed.kind) of medicine \(deed.medication), wish \(deed.number)"
        case .file(let device, let step): "\(device) \(step.sentence)"
        case .editor(let device, let step): "\(device) \(step.sentence)"
        case .lane(let step): step.sentence
        case .widget(let device, let step): "\(device): \(step.sentence)"
        case .takeOver(let device): "\(device) comes into other hands"
        case .sabotage(let kind, let victim):
            "somebody \(kind.sentence), and says so to \(victim)"
        case .member(let step): step.sentence
        }
    }
}

extension SimulatedWrite {
    /// The write in words, shortened.
    var sentence: String {
        let shown = writes.prefix(3).map { write in
            "\(write.key.record): " + write.changes.map(\.sentence).joined(separator: ", ")
        }
        let more = writes.count > 3 ? " and \(writes.count - 3) more" : ""
        return shown.joined(separator: ", ") + more + (isRelaxed ? ", relaxed" : "")
            + (intent.map { ", intent \($0)" } ?? "")
    }
}

extension Change {
    /// The change in words, shortened.
    var sentence: String {
        switch self {
        case .set(let written): "set \(written.field)"
        case .keep(let field, let values): "keep \(values) in \(field)"
        case .count(let field, let key, let amount): "count \(amount) in \(field) for \(key)"
        case .recount(let field, let amount): "recount \(field) as \(amount)"
        case .add(let field, let value): "add \(value) to \(field)"
        case .remove(let field, let value): "remove \(value) from \(field)"
        case .edit(let field, let place, let count, let text, _):
            "edit \(field) at \(place): \(count) out, \(text.count) in"
        case .splice(let field, _): "splice \(field)"
        case .rewrite(let field, _): "rewrite \(field)"
        case .copy(let field, _): "copy into \(field)"
        case .insert: "insert"
        case .delete: "delete"
        case .restore: "restore"
        }
    }
}

extension Event {
    /// The words that a person should read of it; nil for what happens all the time.
    var sentence: String? {
        switch self {
        case .batchApplied(_, let device, let seq, _, let local):
            local ? "commits batch \(seq)" : "shows batch \(seq) of \(device.description.prefix(6))"
        case .sessionClosed(_, _, let reason) where reason != .truncated:
            "a session ended: \(reason)"
        case .warning(let warning): "warns: \(warning)"
        case .paired(_, let device, _): "is paired with \(device.description.prefix(6))"
        case .pairingFailed(_, let failure, _): "pairing failed: \(failure)"
        case .storeFailed(let error): "the store failed: \(error)"
        default: nil
        }
    }
}
