package import LinnetWire

/// A request to a removed device to destroy itself, and what became of it.
package struct Wipe: Equatable, Sendable {
    /// Its record.
    package let id: MemberRecordID
    /// The device.
    package let device: DeviceID
    /// The device that asks.
    package let author: DeviceID
    /// The removal that it follows.
    package let removal: MemberRecordID
    /// The author's clock, in Unix milliseconds.
    package let wallMilliseconds: Int64
    /// True when the device has to obey.
    package let isGood: Bool
    /// The device's own record that it obeys; nil when it was not heard to say so.
    package let obeyed: MemberRecordID?
    /// The device's clock when it said so, in Unix milliseconds.
    package let obeyedWallMilliseconds: Int64?
}

/// The requests of a group to devices that were removed, and what they said to them.
package struct Wipes {
    private let log: MembershipLog
    private var graph: RecordGraph { log.graph }
    private var state: MembershipState { log.state }

    /// Looks at the records of a log.
    package init(_ log: MembershipLog) { self.log = log }

    /// Every request that can be read, in order.
    package var all: [Wipe] {
        let asked = log.records.compactMap { record in
            WipePayload(record).map { (record, $0) }
        }
        guard !asked.isEmpty else { return [] }
        let receipts = log.records.compactMap { record in
            ReceiptPayload(record).map { (record, $0) }
        }
        return asked.map { record, payload in
            let answer = receipts.first {
                $0.0.author == payload.device && $0.1.record == record.id
            }
            return Wipe(
                id: record.id, device: payload.device, author: record.author,
                removal: payload.removal, wallMilliseconds: payload.wallMilliseconds,
                isGood: isGood(record, payload), obeyed: answer?.0.id,
                obeyedWallMilliseconds: answer?.1.wallMilliseconds)
        }
    }

    /// The request that a device has to obey; nil when there is none.
    package func order(to device: DeviceID) -> Wipe? {
        all.first { $0.device == device && $0.isGood }
    }

    /// A request counts when it is not void, when its removal is before it, stands and took its
    /// device out, and when its author signed that removal or is an admin now.
    private func isGood(_ record: MemberRecord, _ payload: WipePayload) -> Bool {
        guard !state.verdict.void.contains(record.id), state.member(payload.device) == nil,
            record.author != payload.device,
            let place = graph.place(of: record.id), let removal = graph.place(of: payload.removal),
            graph.isBefore(removal, place),
            case .remove(let content) = graph.nodes[removal].payload,
            state.verdict.restrictions[payload.removal]?.stands == true,
            content.device == payload.device
                || content.with.contains(where: { $0.device == payload.device })
        else { return false }
        let remover = graph.names[graph.nodes[removal].author]
        return record.author == remover || state.member(record.author)?.role == .admin
    }
}

extension Wipes {
    /// A record that asks a removed device to destroy itself; the caller inserts it.
    ///
    /// Throws ``MembershipError/notEntitled`` for whoever is no admin, and for a device that nobody
    /// removed.
    package func request(
        to device: DeviceID, wallMilliseconds: Int64, keys: borrowing DeviceKeys
    ) throws(MembershipError) -> MemberRecord {
        guard state.member(keys.device)?.role == .admin,
            let removal = Removals(log).last(of: device), removal.author != device
        else { throw .notEntitled }
        let payload = WipePayload(
            device: device, removal: removal.id, wallMilliseconds: wallMilliseconds)
        return try MemberRecord.made(
            of: payload.encoded, kind: WipePayload.kind,
            on: log.parents(by: keys.device, naming: removal.id), in: log, keys: keys)
    }
}
