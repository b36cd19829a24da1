import LinnetChannel
import LinnetWire

/// The batches of one chain that came together, each naming the one before it by its id. The
/// signature of the last one proves them all, since no other bytes have the ids that it covers.
///
/// Their own signatures were not looked at. Whoever hands one of them on looks at it first.
struct BatchRun {
    /// The largest number of batches in a run.
    static let most = 64
    /// The batches, the last one first.
    private var batches: [SealedBatch] = []

    /// Makes a run without batches.
    init() {}

    var isEmpty: Bool { batches.isEmpty }

    /// Takes the batch of the next message; nil when it has to be checked by itself.
    mutating func next() -> SealedBatch? { batches.popLast() }

    /// Checks the messages at the beginning that continue one another. The run is empty when there
    /// is no second one, or when anything about them is wrong, which is found when each is looked
    /// at.
    ///
    /// `link` leads to the batch from which the first message takes over its header.
    init(
        _ events: ArraySlice<ChannelEvent>, group: GroupID,
        after link: (BatchMessage) -> BatchHeaderLink?
    ) {
        var last: BatchHeaderLink?
        for event in events.prefix(Self.most) {
            guard case .message(MessageType.batch.rawValue, let body) = event,
                let message = try? BatchMessage.decode(body)
            else { break }
            if batches.isEmpty {
                last = link(message)
            } else if !message.isContinued {
                break
            }
            guard let headerBytes = try? message.headerBytes(after: last),
                let batch = try? SealedBatch.unproven(
                    headerBytes: headerBytes, ciphertext: message.ciphertext,
                    signature: message.signature, group: group)
            else { break }
            last = BatchHeaderLink(header: batch.header, id: batch.id)
            batches.append(batch)
        }
        guard batches.count > 1, batches.last?.isSigned ?? false else {
            batches = []
            return
        }
        batches.reverse()
    }
}

/// The ids of stored batches whose own signatures were looked at lately.
struct ProvenBatches {
    private static let most = 1_024
    private var ids = OrderedSet<BatchID>()

    func contains(_ id: BatchID) -> Bool { ids.contains(id) }

    mutating func insert(_ id: BatchID) {
        if ids.count >= Self.most { ids = OrderedSet() }
        ids.insert(id)
    }
}
