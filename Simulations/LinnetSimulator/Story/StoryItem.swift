/// One thing that a story shows: something that happened, and all that followed at once.
struct StoryItem: Equatable, Sendable {
    /// The sorts of things that a page draws apart.
    enum Kind: String, CaseIterable, Sendable {
        case write, person, meet, message, fault, state, clock, visible, stored, warning, session
        case membership, note, phase, broken, gap
    }

    let kind: Kind
    /// Its beginning and its end, in milliseconds of the run.
    let since: Int64
    var time: Int64
    /// The device that it happened to, or that sent something.
    var device: Int?
    /// The other device, or the one that got something; below zero for somebody outside.
    var other: Int?
    /// A sentence for people.
    var text: String
    /// The meaning of the fault, or of what else needs one.
    var why: String?
    /// More that followed at once, in sentences.
    var also: [String] = []
    /// The records that became visible, each with its collection and fields.
    var records: [String] = []
    /// The records that became visible and are not listed.
    var recordsLeftOut = 0
    /// The batches that were stored anew.
    var batches = 0
    /// The times that it happened in a row, and the bytes that crossed a link.
    var count = 1
    var bytes = 0
    /// True for what somebody wants of a device, of which something may come or nothing.
    var isWish = false
    /// All that is different from here on.
    var changes: [StoryChange] = []

    /// The most that one item lists of anything, and the longest sentence, in characters.
    static let most = 12
    static let longest = 400

    init(
        _ kind: Kind, _ time: Int64, _ device: Int?, to other: Int? = nil, _ text: String,
        why: String? = nil
    ) {
        self.kind = kind
        since = time
        self.time = time
        self.device = device
        self.other = other
        self.text = Self.shortened(text)
        self.why = why
    }

    /// True when nothing came of it but bytes.
    var isQuiet: Bool { batches == 0 && records.isEmpty && also.isEmpty && changes.isEmpty }

    /// True for a wish of which nothing was seen to come; a clock goes on beside it.
    var isIdle: Bool {
        isWish && batches == 0 && records.isEmpty && also.isEmpty
            && changes.allSatisfy { change in
                if case .clock = change { true } else { false }
            }
    }

    /// True for what a long story keeps of its middle.
    var isWeighty: Bool {
        switch kind {
        case .fault, .state, .clock, .warning, .membership, .phase, .person, .broken, .gap: true
        case .write, .meet, .message, .visible, .stored, .session, .note: false
        }
    }

    /// Adds a sentence about the same moment.
    mutating func add(_ sentence: String) {
        let shortened = Self.shortened(sentence)
        if also.count < Self.most, also.last != shortened { also.append(shortened) }
    }

    /// Adds a record that became visible.
    mutating func show(_ record: String) {
        if records.contains(record) { return }
        if records.count < Self.most {
            records.append(Self.shortened(record))
        } else {
            recordsLeftOut += 1
        }
    }

    /// Says that something is different from here on.
    mutating func change(_ change: StoryChange) {
        changes.removeAll { $0.place == change.place }
        changes.append(change)
    }

    static func shortened(_ text: String) -> String {
        // Scalars, since what an attacker wrote may be one long character.
        let scalars = text.unicodeScalars.prefix(longest + 1)
        guard scalars.count > longest else { return text }
        return String(String.UnicodeScalarView(scalars.prefix(longest))) + "…"
    }
}

/// Something of a device or between two that is different from now on.
enum StoryChange: Equatable, Sendable {
    case appears(Int, name: String)
    case process(Int, String)
    case standing(Int, String)
    /// The wall clock of a device minus the true time.
    case clock(Int, milliseconds: Int64)
    case version(Int, Int)
    case holds(Int, chain: Int, StoryHolding)
    case linked(Int, Int, isUp: Bool)

    /// The thing that it changes: a later change of the same thing takes its place.
    struct Place: Hashable {
        let sort: Int
        let first: Int
        let second: Int
    }

    var place: Place {
        switch self {
        case .appears(let device, _): Place(sort: 0, first: device, second: 0)
        case .process(let device, _): Place(sort: 1, first: device, second: 0)
        case .standing(let device, _): Place(sort: 2, first: device, second: 0)
        case .clock(let device, _): Place(sort: 3, first: device, second: 0)
        case .version(let device, _): Place(sort: 4, first: device, second: 0)
        case .holds(let device, let chain, _): Place(sort: 5, first: device, second: chain)
        case .linked(let left, let right, _):
            Place(sort: 6, first: min(left, right), second: max(left, right))
        }
    }
}

/// The batches of one chain that a device has.
struct StoryHolding: Equatable, Sendable {
    /// The first number, 1 unless the chain is a branch.
    var first: UInt64
    /// The last number that is stored, and the last that shows; below `first` where there is none.
    var stored: UInt64
    var shown: UInt64

    /// The number of those that are stored.
    var count: Int { stored < first ? 0 : Int(clamping: stored - first + 1) }
}
