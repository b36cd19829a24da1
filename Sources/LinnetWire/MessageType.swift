/// The first byte of every message of an established session.
package enum MessageType: UInt8, CaseIterable, Sendable {
    /// Heads of the membership log.
    case memberHeads = 0x01
    /// Request for membership records.
    case memberGet = 0x02
    /// Membership records, parents first.
    case memberRecords = 0x03
    /// First message of a replication session.
    case hello = 0x10
    /// The sender lists the chains that it holds.
    case have = 0x11
    /// The sender asks for batches.
    case need = 0x12
    /// One sealed batch.
    case batch = 0x13
    /// The sender says which batches it has made durable.
    case ack = 0x14
    /// Proof that an author signed two batches of one sequence number.
    case fork = 0x15
    /// The sender offers what batches came to that it does not keep.
    case base = 0x16
    /// A signed statement of what the sender holds.
    case certificate = 0x17
    /// A phone or a watch tells the state of its app and of its lock.
    case laneState = 0x18
    /// A payload, or a part of one, on a companion lane.
    case lanePart = 0x19
    /// The receiver says which payloads it stored, handed over or refused.
    case laneReceipt = 0x1a
    /// Question for what became of payloads.
    case laneProbe = 0x1b
    /// A payload is not to be delivered any more.
    case laneWithdraw = 0x1c
    /// A device that is bound to scopes asks for keys of batches that it holds.
    case keyGet = 0x20
    /// The keys that it may have.
    case keys = 0x21
    /// Sign of life, to be answered.
    case ping = 0x22
    /// Answer to a ping.
    case pong = 0x23
    /// The sender asks for a block of a chunk of a file.
    case blockGet = 0x24
    /// A block of the chunk that was asked for.
    case block = 0x25
    /// The sender does not hold the chunk that was asked for.
    case blockNone = 0x26
    /// The sender asks for a part of a base.
    case baseGet = 0x27
    /// A part of a base.
    case basePart = 0x28
    /// Certificate and proof of possession, each way, while pairing.
    case pairHello = 0x30
    /// Membership records and sealed keys for a newcomer.
    case pairWelcome = 0x31
    /// The newcomer has stored its membership.
    case pairDone = 0x32
    /// The group's schema for a newcomer, and that the newcomer can live with it.
    case pairSchema = 0x33
    /// The newcomer took a page of the welcome and asks for the next one.
    case pairMore = 0x34
    /// End of the session, with a `CloseCode`.
    case close = 0x7f
}
