import Linnet
import LinnetSystem
import LinnetWire

/// The events of all open pages: which records may look different, and that the state changed. It
/// belongs to the loop's thread.
final class LiveFeed: @unchecked Sendable {
    /// The changes that one page was not told of yet: a set, never a queue.
    private final class Reader {
        let stream: EventStream
        var places: Set<RecordPlace> = []
        var order: [RecordPlace] = []
        var needsReset: Bool
        var hasBegun = false
        var stateChanged = false
        var isSilent = false
        var lastWords: String?

        init(_ stream: EventStream, needsReset: Bool) {
            self.stream = stream
            self.needsReset = needsReset
        }
    }

    /// The most records that wait to be told to one page; past them it reads everything anew.
    static let placeLimit = 1_000
    /// The time after which a page hears a comment, in milliseconds: a closed one is noticed then.
    private static let silenceMilliseconds: Int64 = 15_000
    /// The shortest time between two rounds of news, in milliseconds.
    private static let paceMilliseconds: Int64 = 50

    private let loop: EventLoop
    /// The name of this life of the node.
    let run: String
    /// The number of the last change that pages were told of.
    private(set) var sequence: UInt64 = 0
    private var readers: [Reader] = []
    private var lastRound: Int64 = 0
    private var round: TimerID?
    private var silence: TimerID?

    init(loop: EventLoop, run: String) {
        self.loop = loop
        self.run = run
    }

    /// The number of pages that listen.
    var count: Int { readers.count }

    /// Makes the stream of a page; `lastID` is that of the last event that it heard.
    func open(session: UInt64, lastID: String?) -> EventStream {
        var reader: Reader?
        let stream = EventStream(session: session) { [weak self] in
            guard let self, let reader else { return [] }
            return self.news(of: reader)
        }
        let made = Reader(stream, needsReset: lastID != "\(run)-\(sequence)")
        reader = made
        readers.append(made)
        stream.onClose = { [weak self] closed in self?.remove(closed) }
        if silence == nil { breakSilence(after: Self.silenceMilliseconds) }
        return stream
    }

    private func remove(_ stream: EventStream) { readers.removeAll { $0.stream === stream } }

    /// Notes that records may look different.
    func note(_ places: [RecordPlace]) {
        sequence += 1
        for reader in readers where !reader.needsReset {
            for place in places where reader.places.insert(place).inserted {
                reader.order.append(place)
            }
            if reader.order.count > Self.placeLimit { reset(reader) }
        }
        plan()
    }

    /// Notes that the state of the node or its group changed.
    func noteState() {
        sequence += 1
        for reader in readers { reader.stateChanged = true }
        plan()
    }

    /// Notes that everything may look different.
    func noteEverything() {
        sequence += 1
        for reader in readers { reset(reader) }
        plan()
    }

    /// Ends the streams of a session, or all of them.
    func end(session: UInt64? = nil, reason: String) {
        for reader in readers where session == nil || reader.stream.session == session {
            reader.lastWords = reason
            reader.stream.end()
        }
        if session == nil {
            for timer in [round, silence] { if let timer { loop.cancel(timer) } }
        }
    }

    private func reset(_ reader: Reader) {
        reader.needsReset = true
        reader.places = []
        reader.order = []
    }

    /// Lets pages hear the news: at once, or when the last round was just now a little later.
    private func plan() {
        guard round == nil, !readers.isEmpty else { return }
        let due = lastRound + Self.paceMilliseconds
        if due <= SystemClock.uptimeMilliseconds() { return tell() }
        round = loop.schedule(at: due) { [weak self] in
            self?.round = nil
            self?.tell()
        }
    }

    private func tell() {
        lastRound = SystemClock.uptimeMilliseconds()
        for reader in readers { reader.stream.wake() }
    }

    private func breakSilence(after milliseconds: Int64) {
        silence = loop.schedule(at: SystemClock.uptimeMilliseconds() + milliseconds) {
            [weak self] in
            guard let self else { return }
            self.silence = nil
            for reader in self.readers {
                reader.isSilent = true
                reader.stream.wake()
            }
            if !self.readers.isEmpty { self.breakSilence(after: milliseconds) }
        }
    }

    private func news(of reader: Reader) -> [UInt8] {
        let at: [JSON.Member] = [JSON.Member("seq", .integer(sequence))]
        var text = ""
        func event(_ name: String, _ more: [JSON.Member] = []) {
            text += "id: \(run)-\(sequence)\nevent: \(name)\ndata: "
            text += JSON.object(at + more).line + "\n\n"
        }
        if reader.needsReset {
            event("reset")
        } else if !reader.hasBegun {
            event("resume")
        }
        if !reader.order.isEmpty {
            let places = reader.order.map { JSON.array([.text($0.collection), .text($0.id)]) }
            event("dirty", [JSON.Member("places", .array(places))])
        }
        if reader.stateChanged, !reader.needsReset { event("status") }
        if let reason = reader.lastWords {
            event("end", [JSON.Member("reason", .text(reason))])
            reader.lastWords = nil
        }
        if text.isEmpty, reader.isSilent { text = ": still here\n\n" }
        reader.needsReset = false
        reader.hasBegun = true
        reader.stateChanged = false
        reader.isSilent = false
        reader.places = []
        reader.order = []
        return Array(text.utf8)
    }
}
