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

/// I6, for tallies: every key counts once, whoever wrote it and however often.
extension Inspector {
    struct LedgerLine {
        var record: RecordKey
        var key: [UInt8]
        var commit: CommitID
    }

    /// Notes what a commit counted, as the writer meant it.
    func noteCounts(_ writes: [Write], commit: CommitID?) {
        guard let ledger else { return }
        for write in writes where write.key.collection == ledger.collection {
            for case .count(ledger.field, let key, _) in write.changes {
                let bytes = Array(key.utf8)
                triedKeys.insert(TriedKey(record: write.key, key: bytes))
                guard let commit else { continue }
                ledgerLines.append(LedgerLine(record: write.key, key: bytes, commit: commit))
            }
        }
    }

    struct TriedKey: Hashable {
        var record: RecordKey
        var key: [UInt8]
    }

    /// What a record of the ledger counts is the sum over its keys.
    func checkLedger(
        _ key: RecordKey, _ state: RecordState?, _ device: Int
    ) throws(Violation) {
        guard let ledger, key.collection == ledger.collection,
            case .tally(let tally)? = state?.content(of: ledger.field)
        else { return }
        var sum: Int64 = 0
        for line in tally.keys {
            guard let amount = TallyLedger.amount(of: line.key),
                triedKeys.contains(TriedKey(record: key, key: line.key))
            else {
                throw Violation(
                    .exactlyOnce, "record \(key.record) counts what nobody wrote",
                    devices: [device])
            }
            sum += amount
        }
        guard tally.total != Decimal64(mantissa: sum, exponent: 0) else { return }
        throw Violation(
            .exactlyOnce, "record \(key.record) counts \(tally.total), its keys \(sum)",
            devices: [device])
    }

    /// Every acknowledged count that a device applied is among its keys.
    func checkLedgerComplete(_ device: Int) throws(Violation) {
        guard let ledger else { return }
        let view = views[device]
        let schema = schemas[view.version]
        guard schema.collection(id: ledger.collection)?.field(id: ledger.field) != nil else {
            return
        }
        for line in ledgerLines {
            let parts = catalogue.parts(of: line.commit)
            guard !parts.isEmpty, parts.allSatisfy({ view.applied.contains($0) }) else { continue }
            if case .tally(let tally)? = view.records[line.record]?.content(of: ledger.field),
                tally.keys.contains(where: { $0.key == line.key })
            {
                continue
            }
            throw Violation(
                .exactlyOnce, "a count of record \(line.record.record) is lost", devices: [device])
        }
    }
}
