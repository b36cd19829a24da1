import LinnetWire

/// One call of a machine: when it is, and what comes out of it.
struct CompanionTurn {
    let now: Moment
    let role: CompanionRole
    let switches: CompanionSwitches
    /// This end's installation.
    let installation: Bytes8
    var effects: [CompanionEffect] = []

    mutating func put(_ key: JournalKey, _ write: (inout CBORWriter) -> Void) {
        var writer = CBORWriter()
        write(&writer)
        effects.append(.put(JournalRow(key: key.bytes, value: writer.bytes)))
    }

    mutating func remove(_ key: JournalKey) {
        effects.append(.remove(key: key.bytes))
    }

    mutating func tell(_ event: CompanionEvent) {
        effects.append(.tell(event))
    }

    mutating func send(_ frame: LaneFrame, to peer: DeviceID) {
        effects.append(.send(to: peer, frame.encode()))
    }
}
