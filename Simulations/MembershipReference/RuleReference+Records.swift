package import LinnetMembership
package import LinnetWire

extension RuleReference {
    /// Judges the records of a log.
    package convenience init(_ records: [MemberRecord]) {
        self.init(
            records.map { record in
                Entry(
                    id: record.id, lamport: record.lamport, author: record.author,
                    parents: record.parents, says: Self.says(record))
            })
    }

    private static func says(_ record: MemberRecord) -> Says {
        switch record.payload {
        case .genesis(let payload): .founds(payload.creator.device, payload.recovery?.device)
        case .add(let payload): .admits(payload.certificate.device, payload.role)
        case .remove(let payload): .removes(payload.device, with: payload.with.map(\.device))
        case .role(let payload): .ranks(payload.device, payload.role, payload.scopes)
        case .epoch: .begins
        case .vote(let payload): .opines(payload.isFor, payload.record)
        case .extend: .extends
        case .share(let payload): .shares(payload.device)
        case .recovery(let certificate): .renews(certificate.device)
        case .laterAdd, .unknown: record.kind < 128 ? .unknown : .nothing
        }
    }
}

extension RuleReference {
    /// The record of this name.
    package func entry(_ id: MemberRecordID) -> Entry? { entries[id] }

    static func low(_ role: Role) -> Int {
        switch role {
        case .relay: 0
        case .reader: 1
        case .member: 2
        case .admin: 3
        }
    }

    static func both(_ one: ScopeGrant, _ other: ScopeGrant) -> ScopeGrant {
        guard case .some(let first) = one else { return other }
        guard case .some(let second) = other else { return one }
        return .some(first.filter { Set(second).contains($0) })
    }
}
