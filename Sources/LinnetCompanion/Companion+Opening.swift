import LinnetWire

extension Companion {
    /// Takes up all rows.
    mutating func open(_ journal: [JournalRow]) throws(CompanionError) {
        let rows = journal.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        do throws(WireError) {
            for index in rows.indices {
                guard let key = JournalKey(rows[index].key) else { throw .unexpectedType }
                switch key {
                case .identity: try openIdentity(rows[index].value)
                case .facts: try openFacts(rows[index].value)
                case .outgoing(let peer, let number):
                    let wanted = JournalKey.payload(peer, number).bytes
                    guard let payload = Companion.value(of: wanted, in: rows) else {
                        throw .truncated
                    }
                    try open(outgoing: rows[index].value, payload, number, for: peer)
                case .payload: break
                default: try open(key, rows[index].value)
                }
            }
        } catch {
            throw .damagedJournal
        }
        // Numbers may have been used up to the reserve.
        nextNumber = reservedNumber
    }

    private static func value(of key: [UInt8], in rows: [JournalRow]) -> [UInt8]? {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].key.lexicographicallyPrecedes(key) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < rows.count && rows[low].key == key ? rows[low].value : nil
    }

    private mutating func opening(
        _ peer: DeviceID, _ body: (inout Conversation) throws(WireError) -> Void
    ) throws(WireError) {
        var conversation =
            conversations.removeValue(forKey: peer) ?? Conversation(peer: peer)
        defer { conversations[peer] = conversation }
        try body(&conversation)
    }

    private mutating func open(
        outgoing row: [UInt8], _ payload: [UInt8], _ number: UInt64, for peer: DeviceID
    ) throws(WireError) {
        let id = TransferID(installation: installation, number: number)
        let transfer = try OutgoingTransfer.read(id: id, row: row, payload: payload)
        try opening(peer) { (conversation) throws(WireError) in
            conversation.outgoing.reopen(transfer)
        }
    }

    private mutating func open(_ key: JournalKey, _ row: [UInt8]) throws(WireError) {
        switch key {
        case .counterpart(let peer):
            try opening(peer) { (conversation) throws(WireError) in
                try conversation.readFacts(row)
            }
        case .ledger(let peer):
            var reader = CBORReader(row)
            let ledger = try CompanionLedger.read(from: &reader)
            try reader.finish()
            try opening(peer) { (conversation) throws(WireError) in
                conversation.ledger = ledger
            }
        case .spends(let peer):
            let face = try ComplicationBudget.read(row)
            try opening(peer) { (conversation) throws(WireError) in conversation.face = face }
        case .contextOut(let peer):
            try opening(peer) { (conversation) throws(WireError) in
                try conversation.context.readOutgoing(row)
            }
        case .contextIn(let peer):
            try opening(peer) { (conversation) throws(WireError) in
                try conversation.context.readIncoming(row)
            }
        default: try openReceived(key, row)
        }
    }

    private mutating func openReceived(_ key: JournalKey, _ row: [UInt8]) throws(WireError) {
        switch key {
        case .inbox(let peer, let arrival):
            let item = try InboxItem.read(arrival: arrival, row: row)
            try opening(peer) { (conversation) throws(WireError) in
                conversation.inbox.reopen(item)
            }
        case .memory(let peer, let lane):
            let memory = try LaneMemory.read(row)
            try opening(peer) { (conversation) throws(WireError) in
                conversation.inbox.reopen(memory, in: lane)
            }
        case .partialFile(let peer):
            let file = try PartialFile.read(row)
            try opening(peer) { (conversation) throws(WireError) in
                conversation.inbox.reopen(file)
            }
        default: throw .unexpectedType
        }
    }

    // MARK: Rows of the machine itself

    func keepIdentity(_ turn: inout CompanionTurn) {
        turn.put(.identity) { writer in
            writer.array(2)
            writer.bytes(installation)
            writer.unsigned(reservedNumber)
        }
    }

    private mutating func openIdentity(_ row: [UInt8]) throws(WireError) {
        var reader = CBORReader(row)
        try reader.array(exactly: 2)
        installation = try reader.bytes8()
        // Half of the numbers are more than any device uses, and none overflows.
        reservedNumber = try reader.unsigned(max: .max / 2)
        guard reservedNumber > 0 else { throw .badLength }
        try reader.finish()
    }

    func keepFacts(_ turn: inout CompanionTurn) {
        turn.put(.facts) { writer in
            writer.array(5)
            writer.device(selected)
            writer.device(successor)
            writer.bool(isLocked)
            writer.unsigned(UInt64(placement.rawValue))
            writer.array(abandoned.count)
            for peer in abandoned { writer.bytes(peer) }
        }
    }

    private mutating func openFacts(_ row: [UInt8]) throws(WireError) {
        var reader = CBORReader(row)
        try reader.array(exactly: 5)
        let chosen = try reader.device()
        // A restart in the middle of a change of watches completes it.
        selected = try reader.device() ?? chosen
        isLocked = try reader.bool()
        let code = try reader.unsigned(max: 2)
        placement = ComplicationPlacement(rawValue: UInt8(truncatingIfNeeded: code)) ?? .none
        for _ in 0..<(try reader.array()) { abandoned.insert(try reader.bytes32()) }
        try reader.finish()
    }
}

extension CBORWriter {
    fileprivate mutating func device(_ device: DeviceID?) {
        if let device { bytes(device) } else { null() }
    }
}

extension CBORReader {
    fileprivate mutating func device() throws(WireError) -> DeviceID? {
        guard try peek() == .null else { return try bytes32() }
        try null()
        return nil
    }
}
