import LinnetWire

/// The transfers that came from one counterpart: those that wait for the app, and the memory of
/// those that came before.
struct Inbox: Equatable, Sendable {
    /// A payload of which all parts so far are in memory.
    struct Partial: Equatable, Sendable {
        var id: TransferID
        var bytes: [UInt8]
    }

    private(set) var items: [InboxItem] = []
    private(set) var memories = OrderedTable<Lane, LaneMemory>()
    private var partials = OrderedTable<Lane, Partial>()
    private(set) var partialFile: PartialFile?
    private var nextArrival: UInt64 = 1

    /// True when something waits for the app, or a part of something is here.
    var isPending: Bool {
        items.contains { !$0.isHandedNow } || partials[.userInfo] != nil
            || partials[.context] != nil
    }

    /// The first item that the app has not been handed in this life.
    var next: Int? { items.firstIndex { !$0.isHandedNow } }

    /// True when the app has yet to be handed something for the first time.
    var hasNew: Bool { items.contains { !$0.isHanded } }

    func index(of id: TransferID) -> Int? { items.firstIndex { $0.id == id } }

    // MARK: Memory

    /// Returns the stage of a transfer that came before; nil for a new one.
    func stage(of id: TransferID, in lane: Lane) -> ReceiptStage? {
        guard let memory = memories[lane], memory.installation == id.installation else {
            return nil
        }
        return memory.stage(of: id.number)
    }

    /// Returns true when the sender has no more to ask about a transfer: it is an echo.
    func isBelowFloor(_ id: TransferID, in lane: Lane) -> Bool {
        guard let memory = memories[lane] else { return false }
        return memory.installation == id.installation && id.number < memory.floor
    }

    func hasRoom(in lane: Lane, limit: Int) -> Bool {
        items.count < limit && memories[lane]?.hasRoom ?? true
    }

    /// Takes what the sender says of its queue; a new installation starts anew.
    mutating func observe(
        installation: Bytes8, floor: UInt64, in lane: Lane, from peer: DeviceID,
        _ turn: inout CompanionTurn
    ) {
        var memory = memories[lane] ?? LaneMemory(installation: installation)
        let isNew = memory.installation != installation
        if isNew { memory = LaneMemory(installation: installation) }
        if memory.raise(floor: floor) || isNew { keep(memory, in: lane, from: peer, &turn) }
        if memories[lane] == nil { memories[lane] = memory }
    }

    mutating func remember(
        _ stage: ReceiptStage, of id: TransferID, in lane: Lane, from peer: DeviceID,
        _ turn: inout CompanionTurn
    ) {
        var memory = memories[lane] ?? LaneMemory(installation: id.installation)
        guard memory.installation == id.installation else { return }
        memory.set(stage, of: id.number)
        keep(memory, in: lane, from: peer, &turn)
    }

    private mutating func keep(
        _ memory: LaneMemory, in lane: Lane, from peer: DeviceID, _ turn: inout CompanionTurn
    ) {
        memories[lane] = memory
        turn.put(.memory(peer, lane)) { memory.write(to: &$0) }
    }

    // MARK: Parts

    /// Adds a part to what is in memory of its payload; the whole payload once it is complete.
    mutating func assemble(_ part: PartFrame) -> [UInt8]? {
        if part.offset == 0 { partials[part.lane] = Partial(id: part.id, bytes: []) }
        guard var partial = partials.removeValue(forKey: part.lane) else { return nil }
        guard partial.id == part.id, UInt64(partial.bytes.count) == part.offset else {
            // An echo, or the rest of what was lost.
            partials[part.lane] = partial
            return nil
        }
        partial.bytes.append(contentsOf: part.bytes)
        if UInt64(partial.bytes.count) == part.total { return partial.bytes }
        partials[part.lane] = partial
        return nil
    }

    /// Payloads of which the rest does not come on this link are forgotten; files are not.
    mutating func linkEnded() { partials.removeAll() }

    mutating func keep(_ file: PartialFile?, from peer: DeviceID, _ turn: inout CompanionTurn) {
        partialFile = file
        if let file {
            turn.put(.partialFile(peer)) { file.write(to: &$0) }
        } else {
            turn.remove(.partialFile(peer))
        }
    }

    // MARK: Items

    mutating func add(
        _ id: TransferID, _ flags: TransferFlags, _ content: InboxItem.Content,
        from peer: DeviceID, _ turn: inout CompanionTurn
    ) {
        let item = InboxItem(arrival: nextArrival, id: id, flags: flags, content: content)
        nextArrival += 1
        items.append(item)
        turn.put(.inbox(peer, item.arrival)) { item.write(to: &$0) }
    }

    mutating func change(
        _ index: Int, from peer: DeviceID, _ turn: inout CompanionTurn,
        _ body: (inout InboxItem) -> Void
    ) {
        let before = items[index]
        body(&items[index])
        let item = items[index]
        guard item.isHanded != before.isHanded || item.isClaimed != before.isClaimed else {
            return
        }
        turn.put(.inbox(peer, item.arrival)) { item.write(to: &$0) }
    }

    /// Removes an item, and its file unless the app has moved it away.
    mutating func remove(_ index: Int, from peer: DeviceID, _ turn: inout CompanionTurn) {
        let item = items.remove(at: index)
        turn.remove(.inbox(peer, item.arrival))
        if item.lane == .file, !item.isClaimed { turn.effects.append(.discard(item.id)) }
    }

    /// A new process of the app has been handed nothing yet; files of calls that did not return are
    /// gone, unless the app is to say when it has processed them.
    mutating func appEnded(from peer: DeviceID, _ turn: inout CompanionTurn) {
        for index in items.indices.reversed() {
            if items[index].isHanded, !items[index].wantsProcessed {
                remove(index, from: peer, &turn)
            } else {
                items[index].isHandedNow = items[index].isClaimed
            }
        }
    }

    // MARK: Opening

    mutating func reopen(_ item: InboxItem) {
        items.append(item)
        nextArrival = item.arrival &+ 1
        if item.isClaimed { items[items.count - 1].isHandedNow = true }
    }

    mutating func reopen(_ memory: LaneMemory, in lane: Lane) { memories[lane] = memory }

    mutating func reopen(_ file: PartialFile) { partialFile = file }
}
