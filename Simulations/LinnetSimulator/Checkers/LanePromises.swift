import LinnetCompanion
import LinnetWire

/// L1: lanes keep their promises.
///
/// Knows what was asked of both machines, and nothing of how they work: what the apps hear must
/// follow from it.
struct LanePromises {
    enum Kind {
        case userInfo(Int, Int, wantsProcessed: Bool)
        case context(Int, Int)
        case message(Int, expectsReply: Bool)
        case file(Int, Int, wantsProcessed: Bool)
    }

    /// A command under way, before it has a name.
    struct Asked {
        var device: Int
        var kind: Kind
    }

    struct Promise {
        var asked: Asked
        /// The number of times that the receiver's app heard of it.
        var told = 0
        /// The process died between the commit and the call.
        var isLost = false
        var isCancelled = false
        var isFinished = false
        /// The receiver's app said that it has processed it.
        var isProcessed = false
        var isProcessedTold = false
        /// The message ended, or its sender did.
        var hasEnded = false
        var hasFailed = false

        var wantsProcessed: Bool {
            switch asked.kind {
            case .userInfo(_, _, let wants), .file(_, _, let wants): wants
            case .context, .message: false
            }
        }
    }

    var asking: Asked?
    var faults: PlatformFaults = []
    private(set) var byID: [TransferID: Promise] = [:]
    /// In the order of asking.
    private(set) var ids: [TransferID] = []
    private var numbers = 0
    /// The last number heard on each lane of each device: nothing goes back.
    private var last = [[UInt64]](repeating: [0, 0, 0, 0], count: 2)
    private var lastContext = [0, 0]
    var toldReachable = [false, false]

    mutating func newNumber() -> Int {
        numbers += 1
        return numbers
    }

    static func content(_ number: Int, _ bytes: Int) -> PropertyDictionary {
        [
            "n": .int(Int64(number)),
            "x": .data([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: bytes)),
        ]
    }

    static func file(_ number: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: number &+ $0 / 5) }
    }

    static func broken(_ message: String, _ id: TransferID? = nil) -> Violation {
        Violation(.lanePromises, message + (id.map { " (transfer \($0.number))" } ?? ""))
    }

    mutating func change(
        _ id: TransferID, _ body: (inout Promise) throws(Violation) -> Void
    ) throws(Violation) {
        guard var promise = byID[id] else {
            throw Self.broken("something was heard that nobody sent", id)
        }
        try body(&promise)
        byID[id] = promise
    }

    // MARK: What people do

    mutating func accepted(_ id: TransferID, by device: Int) throws(Violation) {
        guard let asking, asking.device == device else { return }
        guard byID[id] == nil else { throw Self.broken("a name was given twice", id) }
        byID[id] = Promise(asked: asking)
        ids.append(id)
    }

    mutating func cancelled(_ id: TransferID) { byID[id]?.isCancelled = true }

    mutating func processing(_ id: TransferID) { byID[id]?.isProcessed = true }

    /// A device's app or process ended, and with it the messages that it waited for.
    mutating func restarted(_ device: Int) {
        for id in ids where byID[id]?.asked.device == device {
            if case .message = byID[id]?.asked.kind { byID[id]?.hasEnded = true }
        }
    }

    /// An effect that was committed and then died with the process counts as done.
    mutating func lost(_ effects: [CompanionEffect], by device: Int) throws(Violation) {
        for effect in effects {
            switch effect {
            case .accepted(let id): try accepted(id, by: device)
            case .tell(.receivedUserInfo(let info)): byID[info.id]?.isLost = true
            case .tell(.receivedFile(let file)): byID[file.id]?.isLost = true
            case .tell(.receivedMessage(let id, _, _)): byID[id]?.isLost = true
            case .tell(.userInfoFinished(let transfer, _)), .tell(.fileFinished(let transfer, _)):
                byID[transfer.id]?.isFinished = true
            case .tell(.transferProcessed(let id)): byID[id]?.isProcessedTold = true
            default: break
            }
        }
    }

    // MARK: What the apps hear

    mutating func heard(_ event: CompanionEvent, by end: LaneEnd) throws(Violation) {
        switch event {
        case .receivedUserInfo(let info):
            try received(info.id, info.isRepeated, by: end)
            guard case .userInfo(let number, let bytes, _) = byID[info.id]?.asked.kind,
                info.userInfo == LanePromises.content(number, bytes)
            else { throw Self.broken("a user info changed on its way", info.id) }
            if !info.isComplication, !info.isRepeated { try advance(0, info.id, end.index) }
        case .receivedFile(let file):
            try received(file.id, file.isRepeated, by: end)
            guard case .file(let number, let bytes, _) = byID[file.id]?.asked.kind,
                end.inbox[file.id] == LanePromises.file(number, bytes)
            else { throw Self.broken("a file changed on its way", file.id) }
            if !file.isRepeated { try advance(1, file.id, end.index) }
        case .receivedMessage(let id, _, _):
            try advance(2, id, end.index)
            try change(id) { (promise) throws(Violation) in
                promise.told += 1
                if promise.hasFailed {
                    throw Self.broken("a message that had failed was delivered", id)
                }
            }
        case .receivedApplicationContext(let context): try receivedContext(context, by: end)
        case .messageFinished(let id, let outcome): try ended(id, outcome)
        case .userInfoFinished(let transfer, let error), .fileFinished(let transfer, let error):
            try finished(transfer.id, error)
        case .transferProcessed(let id):
            try change(id) { (promise) throws(Violation) in
                guard promise.isProcessed, !promise.isProcessedTold else {
                    throw Self.broken("a transfer was called processed that was not, or twice", id)
                }
                promise.isProcessedTold = true
            }
        case .reachabilityDidChange, .activationDidComplete:
            toldReachable[end.index] = end.machine.isReachable
        default: break
        }
    }

    private mutating func advance(
        _ lane: Int, _ id: TransferID, _ device: Int
    ) throws(Violation) {
        guard id.number > last[device][lane] else {
            throw Self.broken("a lane went back in its order", id)
        }
        last[device][lane] = id.number
    }

    private mutating func received(
        _ id: TransferID, _ isRepeated: Bool, by end: LaneEnd
    ) throws(Violation) {
        try change(id) { (promise) throws(Violation) in
            guard promise.asked.device != end.index else {
                throw Self.broken("a transfer came back to its sender", id)
            }
            let isKnown = promise.told > 0 || promise.isLost
            guard isRepeated == isKnown, !isKnown || promise.wantsProcessed else {
                throw Self.broken(
                    "a transfer was handed over again, or wrongly called repeated", id)
            }
            guard !promise.isProcessed else {
                throw Self.broken("a transfer was presented after it was processed", id)
            }
            promise.told += 1
        }
    }

    private mutating func receivedContext(
        _ context: PropertyDictionary, by end: LaneEnd
    ) throws(Violation) {
        guard case .int(let number) = context["n"] else {
            throw Self.broken("a context changed on its way")
        }
        guard Int(number) > lastContext[end.index] else {
            throw Self.broken("context \(number) came after \(lastContext[end.index])")
        }
        lastContext[end.index] = Int(number)
    }

    private mutating func ended(_ id: TransferID, _ outcome: MessageOutcome) throws(Violation) {
        try change(id) { (promise) throws(Violation) in
            guard !promise.hasEnded, case .message(_, let expectsReply) = promise.asked.kind else {
                throw Self.broken("a message ended twice, or after its sender", id)
            }
            promise.hasEnded = true
            switch outcome {
            case .replied(let content):
                guard expectsReply, promise.told == 1,
                    content == .data(id.installation.array)
                else { throw Self.broken("a reply came that nobody gave", id) }
            case .delivered:
                guard !expectsReply, promise.told == 1 else {
                    throw Self.broken("a message was called delivered that was not", id)
                }
            case .failed:
                guard promise.told == 0 else {
                    throw Self.broken("a message was called failed that had its effect", id)
                }
                promise.hasFailed = true
            case .unknown: break
            }
        }
    }

    private mutating func finished(_ id: TransferID, _ error: CompanionError?) throws(Violation) {
        try change(id) { (promise) throws(Violation) in
            guard !promise.isFinished, !promise.isCancelled else {
                throw Self.broken("a transfer finished twice, or after it was cancelled", id)
            }
            if let error { throw Self.broken("a transfer failed for no reason: \(error)", id) }
            guard promise.told > 0 || promise.isLost else {
                throw Self.broken("a transfer was called finished before it was handed over", id)
            }
            promise.isFinished = true
        }
    }
}
