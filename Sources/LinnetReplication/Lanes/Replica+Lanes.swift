import LinnetCRDT
package import LinnetCompanion
import LinnetCrypto
import LinnetStorage
package import LinnetWire

// This part does what an application asks of the lanes, through the shell.
extension Replica {
    /// The state of the lanes; nil unless this device is a phone or a watch and belongs to a group.
    package var companion: Companion? { lanes?.machine }

    /// Gives the lanes an input; its consequences are committed before the effects come back.
    ///
    /// Throws the fault of the input, with nothing changed; `sessionNotSupported` on a device that
    /// is neither a phone nor a watch.
    package mutating func handle(
        _ input: CompanionInput, at now: Moment
    ) throws(CompanionError) -> [Effect] {
        if failure != nil { return [] }
        do {
            try openLanes()
            guard lanes != nil else { throw CompanionError.sessionNotSupported }
            try lanes?.perform(input, &turn, at: now)
            return try settle(at: now)
        } catch let error as StorageError {
            return [.notify(.storeFailed(fail(error)))]
        } catch let error as LaneFault {
            switch error {
            case .input(let error): throw error
            case .storage(let error): return [.notify(.storeFailed(fail(error)))]
            }
        } catch let error as CompanionError {
            throw error
        } catch {
            throw .genericError
        }
    }

    /// Returns the part of a received file at an offset; nil at its end.
    package func laneFilePart(
        _ id: TransferID, offset: UInt64
    ) throws(ReplicaError) -> [UInt8]? {
        do throws(StorageError) {
            return try store.lane(LaneHost.key(id, offset: offset))
        } catch {
            throw .storage(error)
        }
    }
}

// This part hands the lanes what they need of the other machines.
extension Replica {
    /// Opens the lanes from their journal, once it is known what this device is.
    mutating func openLanes() throws(StorageError) {
        guard lanes == nil, group != nil, let role = CompanionRole(kind: author.profile.kind) else {
            return
        }
        lanes = try LaneHost(role, &entropy, in: store)
    }

    /// Tells the lanes which counterparts came and went, before the commit of a call.
    mutating func tendLanes(at now: Moment) throws(StorageError) {
        try openLanes()
        guard lanes != nil else { return }
        let peers = sessions.open.filter {
            $0.state.greeting.incarnation != nil && $0.state.device != device
        }
        let records = reader
        guard let present = try lanes?.links(of: peers, records) else { return }
        try lanes?.tend(present, &turn, at: now)
    }
}

/// The reason why an input of the lanes failed.
enum LaneFault: Error {
    /// The input was wrong.
    case input(CompanionError)
    /// The input could not be kept.
    case storage(StorageError)
}
