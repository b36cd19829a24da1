/// Every limit of the protocol, each named with its unit.
package enum Limits {
    // MARK: Canonical bytes

    /// Deepest nesting of containers.
    package static let cborDepth = 16
    /// Most items one reader takes, unless it is told otherwise.
    package static let cborItems = 65_536
    /// Longest text or byte string, unless the reader is told otherwise.
    package static let cborStringBytes = 65_536
    /// Most keys of one map.
    package static let cborMapKeys = 64

    // MARK: Values and operations

    /// Most records whose order is kept at hand after a move, in all collections.
    package static let orderedRecords = 32_768
    /// Longest record identifier.
    package static let recordIDBytes = 64
    /// Largest encoded value.
    package static let valueBytes = 65_536
    /// Deepest nesting of lists in a value.
    package static let valueDepth = 4
    /// Longest intent identifier.
    package static let intentBytes = 64
    /// Most operations of one batch.
    package static let operationsPerBatch = 4_096
    /// Uncompressed size from which a commit is split into another batch.
    package static let commitBatchBytes = 192 * 1_024
    /// Most batches of one commit.
    package static let partsPerCommit = 65_535
    /// Largest batch body before compression.
    package static let batchBodyBytes = 1 << 20
    /// Largest batch plaintext, compressed and padded.
    package static let batchPlaintextBytes = 256 * 1_024
    /// Largest batch ciphertext: the plaintext and its authentication tag.
    package static let batchCiphertextBytes = batchPlaintextBytes + 16
    /// Most distinct authors that one batch refers to.
    package static let authorsPerBatch = 65_535

    /// Changes of others that one call shows, where an edit of a text counts as much as eight of
    /// them and 512 decoded bytes as much as one; a batch that was begun is shown whole.
    package static let shownInOneCall = 8_192

    /// Changes that an idle replica reads in one step while it holds its rows against its log.
    package static let checkedOperations = 4_096
    /// Bytes of a part of a base, but for one record or batch.
    package static let basePartBytes = 256 * 1_024
    /// Bytes of one record of a base.
    package static let baseRecordBytes = 16 << 20
    /// Changes after which a step of a compaction ends.
    package static let compactedOperations = 4_096
    /// The time after an opening before the rows of own batches are counted.
    package static let gapSearchMilliseconds: Int64 = 1_000
    /// Own batches whose rows are counted in one step.
    package static let gapSearchBatches: UInt64 = 4_096

    // MARK: Clocks

    /// First Unix millisecond that makes a stamp invalid.
    package static let stampCeilingMilliseconds: Int64 = 1 << 47
    /// The most that a received stamp may move the local clock ahead of the wall clock.
    package static let clockClampMilliseconds: Int64 = 300_000
    /// The first Unix millisecond, that of 2024, at which a wall clock is believed that no other
    /// device confirmed.
    package static let wallClockFloorMilliseconds: Int64 = 1_704_067_200_000
    /// Difference between two wall clocks from which both sides are told.
    package static let clockSkewMilliseconds: Int64 = 120_000

    // MARK: Frames and messages

    /// Largest frame payload.
    package static let frameBytes = 65_535
    /// Smallest payload of a transport frame: one authentication tag.
    package static let transportFrameMinimumBytes = 16
    /// Largest plaintext of a transport frame.
    package static let fragmentBytes = frameBytes - transportFrameMinimumBytes
    /// Largest message after reassembly.
    package static let messageBytes = 1 << 20
    /// Most frames of one message.
    package static let fragmentsPerMessage = 17

    // MARK: Attachments

    /// The largest attached file.
    package static let fileBytes: UInt64 = 1 << 36
    /// Longest name of an attached file.
    package static let fileNameBytes = 255
    /// Longest media type of an attached file.
    package static let mediaTypeBytes = 127
    /// Bytes below which no chunk of a file ends, but the last one.
    package static let chunkMinimumBytes = 64 * 1_024
    /// Bytes from which a chunk of a file ends more easily.
    package static let chunkNormalBytes = 256 * 1_024
    /// Largest chunk of a file, before it is sealed.
    package static let chunkMaximumBytes = 896 * 1_024
    /// Bytes by which a sealed chunk is longer.
    package static let chunkOverheadBytes = 40
    /// Most chunks that a file's value names itself.
    package static let inlineChunks = 64
    /// Most parts of the list of a file's chunks.
    package static let manifestParts = 1_024
    /// Most chunks that one part of the list names.
    package static let chunksPerPart = 8_192
    /// Largest block of a chunk in one message.
    package static let blockBytes = 16 * 1_024
    /// Most bytes of chunks that a device keeps.
    package static let keptChunkBytes: UInt64 = 32 << 30
    /// Most files that a device fetches at a time.
    package static let fetchedFiles = 64
    /// Time after which a peer that lacked a chunk is asked again.
    package static let blockRetryMilliseconds: Int64 = 2_000
    /// Time for which an asked peer may be silent before another one is asked.
    package static let blockMilliseconds: Int64 = 30_000

    // MARK: Links before authentication

    /// Time for the preface and for each handshake message to arrive.
    package static let handshakeMessageMilliseconds: Int64 = 2_000
    /// Time for preface and handshake together.
    package static let handshakeMilliseconds: Int64 = 5_000
    /// Time for an unknown peer to prove its membership.
    package static let authorisationMilliseconds: Int64 = 5_000
    /// Most unauthenticated links at a time.
    package static let unauthenticatedLinks = 16
    /// Most unauthenticated links at a time from one address, or one IPv6 /64.
    package static let unauthenticatedLinksPerSource = 4
    /// Sustained handshakes a second from one source.
    package static let handshakesPerSecondPerSource = 10
    /// Handshakes at once from one source.
    package static let handshakeBurstPerSource = 20
    /// The time for which a source that exceeded its handshakes is ignored.
    package static let handshakeSilenceMilliseconds: Int64 = 60_000
    /// Most group keys that a responder tries on a first handshake message.
    package static let pskTrials = 32
    /// Most earlier epochs whose key still opens a handshake.
    package static let earlierEpochs = 8

    // MARK: Sessions

    /// Messages of one direction after which its key is replaced.
    package static let rekeyIntervalMessages: UInt64 = 65_536
    /// Longest session before a new handshake.
    package static let sessionLifetimeMilliseconds: Int64 = 86_400_000
    /// Silence after which a ping is sent.
    package static let pingMilliseconds: Int64 = 30_000
    /// Silence after which a session is closed.
    package static let idleCloseMilliseconds: Int64 = 120_000
    /// Most bytes sent and not acknowledged.
    package static let unacknowledgedBytes = 4 << 20
    /// Longest proof of a fork.
    package static let forkBytes = 2_048
    /// Longest signed statement of what a device holds.
    package static let certificateBytes = 512
    /// The time for which a signed statement of the same changes is as good as a new one.
    package static let certificateMilliseconds: Int64 = 1_000

    // MARK: Batches that wait

    /// Most batches of one chain that wait for a predecessor or a key.
    package static let pendingBatchesPerChain = 1_024
    /// Most bytes of one chain that wait.
    package static let pendingBytesPerChain = 32 << 20
    /// Most bytes of all chains that wait.
    package static let pendingBytes = 64 << 20

    // MARK: Arrivals

    /// Most membership records that one device may sign at once, and again within a day, before
    /// they have to wait.
    package static let receivedRecords = 4_096
    /// Most batches that one device may send at once, and again within a day, before more have to
    /// wait.
    package static let receivedBatches = 1_000_000
    /// Most bytes of batches that one device may send at once, and again within a day.
    package static let receivedBytes = 1 << 30
    /// Most bytes to which one device's batches may open at once, and again within a day.
    package static let receivedDecodedBytes = 512 << 20

    // MARK: Membership

    /// Largest membership record.
    package static let memberRecordBytes = 32 * 1_024
    /// Most membership records before another one.
    package static let memberRecords = 4_096
    /// Most membership records that a device keeps.
    package static let memberRecordsHeld = 16_384
    /// Most active devices of a group.
    package static let devices = 32
    /// Most heads in one message.
    package static let memberHeads = memberRecordsHeld
    /// Most records asked for in one message.
    package static let memberGetRecords = memberRecordsHeld
    /// Most records besides the heads by which a request for records tells what is here already.
    package static let memberLandmarks = 32
    /// Most questions about the group that a person is asked at a time.
    package static let groupQuestions = 1_024
    /// Time after which a device accepts another one that a third let in.
    package static let acceptanceMilliseconds: Int64 = 7 * 86_400_000
    /// Most records of an unknown peer that must prove its membership.
    package static let memberProofRecords = 1_024

    // MARK: Schemas

    /// Most bytes of a schema's text in one record.
    package static let schemaPieceBytes = 32 * 1_024
    /// Most records that carry one schema's text; with their heads they fit into one message.
    package static let schemaPieces = 31
    /// Most published schemas that are read.
    package static let schemas = 1_024
    /// Most bytes of published schemas that are read.
    package static let schemaTotalBytes = 16 << 20

    // MARK: Pairing

    /// Wrong guesses that kill a code.
    package static let pairingTries = 3
    /// Life of a code.
    package static let pairingCodeMilliseconds: Int64 = 120_000
    /// Dead codes within the window that lock pairing by code.
    package static let pairingDeadCodes = 5
    /// Window of the dead codes.
    package static let pairingWindowMilliseconds: Int64 = 3_600_000
    /// The time for which pairing by code stays locked.
    package static let pairingLockMilliseconds: Int64 = 3_600_000
    /// Life of a ticket, the secret inside a QR code.
    package static let pairingTicketMilliseconds: Int64 = 600_000
    /// Failures that kill a ticket.
    package static let pairingTicketTries = 3
    /// Time for a person to confirm a newcomer.
    package static let pairingConfirmMilliseconds: Int64 = 60_000
    /// Largest pairing greeting.
    package static let pairHelloBytes = 4_096

    // MARK: Discovery

    /// Most service instances remembered.
    package static let discoveryInstances = 256
    /// Most new service instances a minute.
    package static let discoveryInstancesPerMinute = 32
    /// Longest TXT record that is read.
    package static let discoveryTextBytes = 256

    // MARK: Emergency cards

    /// Largest emergency card with its signature, before compression.
    package static let cardBytes = 256 * 1_024
    /// Largest sealed card: no compressed one is longer by more.
    package static let cardBoxBytes = cardBytes + 1_024
    /// Longest title of a card.
    package static let cardTitleBytes = 256
    /// Bytes of a sealed card in one of its parts, each of which is one QR code.
    package static let cardPartBytes = 560
    /// Most parts of one card.
    package static let cardParts = 64
    /// Longest validity of a card that is made.
    package static let cardDays = 366

    // MARK: Mailboxes

    /// Largest object of a mailbox that is put or read.
    package static let mailObjectBytes = 4 << 20
    /// Largest head of a device in a mailbox.
    package static let mailHeadBytes = 1 << 20
    /// Bytes of batches from which on a device makes a pack of them and leaves none in its head.
    package static let mailInlineBytes = 48 * 1_024
    /// Bytes of the names of packs in a head from which on a device leaves them in a list apart.
    package static let mailShelfBytes = 256 * 1_024
    /// Bytes of batches or records in one object, before padding.
    package static let mailContentBytes = 3_584 * 1_024
    /// Largest listing of a store over HTTP that is read.
    package static let mailListingBytes = 8 << 20
    /// Most names that are read of one listing.
    package static let mailNames = 10_000
    /// Most heads that are kept of one mailbox; those of members are at most as many as devices.
    package static let mailHeads = 256

    /// Largest door of a mailbox.
    package static let mailDoorBytes = 4_096
    /// Most doors of a mailbox that are read by a device which comes back by its recovery words.
    package static let mailDoors = 256
    /// Most salts of doors with which a recovery phrase is hashed.
    package static let mailDoorSalts = 8
    /// Most memory for hashing a recovery phrase as a door asks, in KiB.
    package static let mailDoorMemoryKiB: UInt32 = 262_144
    /// Most objects with records that one door names.
    package static let mailDoorParts = 16

    // MARK: Companion lanes

    /// Bytes of a payload in one frame of a lane; with its header the frame stays below 64 KiB.
    package static let companionPartBytes = 48 * 1_024
    /// Longest frame of a lane, with its code: what one transport frame carries.
    package static let companionFrameBytes = fragmentBytes - 1
}
