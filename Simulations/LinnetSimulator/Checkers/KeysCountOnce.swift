import LinnetCRDT
import LinnetReplication
import LinnetWire

/// A tally that nobody counts anew, where the amount of a key follows from its number: what it must
/// come to is known without looking at any operation.
struct TallyLedger: Sendable {
    let collection: UInt32
    let field: UInt32

    static func key(_ number: Int) -> String { "dose-\(number)" }

    static func amount(_ number: Int) -> Int64 { Int64(number % 7) + 1 }

    /// The amount of a key; nil when it is none of the ledger's.
    static func amount(of key: [UInt8]) -> Int64? {
        let text = String(decoding: key, as: UTF8.self)
        guard text.hasPrefix("dose-") else { return nil }
        return Int(text.dropFirst(5)).map(amount)
    }
}

/// Every key of a tally counts once, whoever wrote it and however often.
final class KeysCountOnce: Checker {
    let invariant = Invariant.exactlyOnce
    let sights: [Sight.Kind] = [.wished, .written, .record, .records]
    private let known: Knowledge
    private let ledger: TallyLedger
    /// The counts that were seen, and those that may have been.
    private var lines: [Line] = []
    private var triedKeys: Set<TriedKey> = []

    private struct Line {
        var record: RecordKey
        var key: [UInt8]
        var commit: CommitID
    }

    private struct TriedKey: Hashable {
        var record: RecordKey
        var key: [UInt8]
    }

    init(_ known: Knowledge, _ ledger: TallyLedger) {
        self.known = known
        self.ledger = ledger
    }

    func observe(_ sight: Sight) throws(Violation) {
        switch sight {
        case .wished(let writes): note(writes, commit: nil)
        case .written(let written): note(written.writes, commit: written.receipt.commit)
        case .record(let record): try check(record)
        case .records(let device, _): try checkComplete(device)
        default: break
        }
    }

    /// Notes what a commit counted, as the writer meant it.
    private func note(_ writes: [Write], commit: CommitID?) {
        for write in writes where write.key.collection == ledger.collection {
            for case .count(ledger.field, let key, _) in write.changes {
                let bytes = Array(key.utf8)
                triedKeys.insert(TriedKey(record: write.key, key: bytes))
                guard let commit else { continue }
                lines.append(Line(record: write.key, key: bytes, commit: commit))
            }
        }
    }

    /// A record of the ledger counts the sum over its keys.
    private func check(_ sight: Sight.RecordSight) throws(Violation) {
        let key = sight.key
        guard key.collection == ledger.collection,
            case .tally(let tally)? = sight.after?.content(of: ledger.field)
        else { return }
        var sum: Int64 = 0
        for line in tally.keys {
            guard let amount = TallyLedger.amount(of: line.key),
                triedKeys.contains(TriedKey(record: key, key: line.key))
            else {
                throw violation("record \(key.record) counts what nobody wrote", on: sight.device)
            }
            sum += amount
        }
        guard tally.total != Decimal64(mantissa: sum, exponent: 0) else { return }
        throw violation(
            "record \(key.record) counts \(tally.total), its keys \(sum)", on: sight.device)
    }

    /// Every acknowledged count that a device applied is among its keys.
    private func checkComplete(_ device: Int) throws(Violation) {
        let view = known.views[device]
        let schema = known.schemas[view.version]
        guard schema.collection(id: ledger.collection)?.field(id: ledger.field) != nil else {
            return
        }
        for line in lines {
            let parts = known.catalogue.parts(of: line.commit)
            guard !parts.isEmpty, parts.allSatisfy({ view.applied.contains($0) }) else { continue }
            if case .tally(let tally)? = view.records[line.record]?.content(of: ledger.field),
                tally.keys.contains(where: { $0.key == line.key })
            {
                continue
            }
            throw violation("a count of record \(line.record.record) is lost", on: device)
        }
    }
}
