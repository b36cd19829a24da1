import Glibc
import LinnetWire

@testable import LinnetMembership

/// Sets of records and what they came to, one JSON object a line, in the form of the sets in
/// `docs/vectors/membership.json`: `scripts/checks histories` has Python read them.
final class HistoryLines {
    private let descriptor: Int32

    /// Opens a file for more lines; nil where that is refused.
    init?(appendingTo path: String) {
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Writes a set; false when the disk does not take it.
    func write(_ name: String, _ records: [MemberRecord], _ verdict: Verdict) -> Bool {
        let ordered = records.sorted { ($0.lamport, $0.id) < ($1.lamport, $1.id) }
        let line = Self.object([
            ("name", Self.text(name)),
            ("records", Self.list(ordered.map { Self.text(Hex.encode($0.encoded)) })),
            ("outcome", Self.outcome(of: verdict)),
        ])
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func outcome(of verdict: Verdict) -> String {
        object([
            (
                "members",
                list(
                    verdict.members.map { device, member in
                        object([
                            ("device", id(device)), ("role", "\(member.role.rawValue)"),
                            ("scopes", scopes(member.scopes)), ("admission", id(member.admission)),
                        ])
                    })
            ),
            ("void", ids(verdict.void.elements)),
            (
                "restrictions",
                list(
                    verdict.restrictions.map { record, judged in
                        object([
                            ("record", id(record)), ("stands", "\(judged.stands)"),
                            ("isForked", "\(judged.isForked)"), ("for", ids(judged.yes)),
                            ("against", ids(judged.no)),
                        ])
                    })
            ),
            ("lost", ids(verdict.lost.elements)),
            ("recoveryKey", verdict.recovery.map { id($0) } ?? "null"),
            ("usableEpochs", ids(verdict.epochs.filter(\.isUsable).map(\.id))),
            ("currentEpoch", verdict.currentEpoch.map { id($0) } ?? "null"),
            ("freezing", ids(verdict.freezing.elements)),
            (
                "batches",
                list(
                    verdict.batches.map { device, counted in
                        object([("device", id(device)), ("counts", counts(counted))])
                    })
            ),
        ])
    }

    private static func counts(_ counted: CountedBatches) -> String {
        switch counted {
        case .none: text("none")
        case .all: text("all")
        case .upTo(let heads): list(heads.map(head))
        case .within(let scopes, let heads):
            object([
                ("scopes", list(scopes.map { text($0.description) })),
                ("heads", list(heads.map(head))),
            ])
        }
    }

    private static func head(_ head: BatchHead) -> String {
        object([
            ("incarnation", text(head.incarnation.description)),
            ("scope", text(head.scope.description)), ("seq", "\(head.sequence)"),
            ("batch", id(head.batch)),
        ])
    }

    private static func scopes(_ grant: ScopeGrant) -> String {
        switch grant {
        case .all: "null"
        case .some(let scopes): list(scopes.map { text($0.description) })
        }
    }

    private static func id(_ id: Bytes32) -> String { text(id.description) }
    private static func ids(_ ids: [Bytes32]) -> String { list(ids.map(id)) }
    private static func text(_ text: String) -> String { "\"\(text)\"" }
    private static func list(_ items: [String]) -> String {
        "[" + items.joined(separator: ",") + "]"
    }
    private static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { "\(text($0.0)):\($0.1)" }.joined(separator: ",") + "}"
    }
}
