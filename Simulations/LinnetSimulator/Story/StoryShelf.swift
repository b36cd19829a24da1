/// Keeps a bounded part of a story: its beginning and end in full, and of the middle what matters.
struct StoryShelf {
    /// The number of items that are kept of each part.
    struct Bounds {
        var beginning = 1_200
        var middle = 1_000
        var end = 2_400
    }

    private let bounds: Bounds
    private var beginning: [StoryItem] = []
    private var middle: [StoryItem] = []
    /// The newest items, oldest first from `oldest` on.
    private var end: [StoryItem] = []
    private var oldest = 0
    private var gap = StoryGap()
    /// Of each kind, how many items were left out.
    private(set) var leftOut: [StoryItem.Kind: Int] = [:]

    init(_ bounds: Bounds = Bounds()) { self.bounds = bounds }

    /// The newest item; a change of it counts from then on.
    var last: StoryItem? {
        get { end.count > oldest ? end.last : beginning.last }
        set {
            guard let newValue else { return }
            if end.count > oldest {
                end[end.count - 1] = newValue
            } else if !beginning.isEmpty {
                beginning[beginning.count - 1] = newValue
            }
        }
    }

    /// Takes an item out that lies behind nothing but runs of quiet messages, at most 24 of them.
    mutating func takeQuiet(_ isWanted: (StoryItem) -> Bool) -> StoryItem? {
        let isAtEnd = end.count > oldest
        let list = isAtEnd ? end[oldest...] : beginning[...]
        for index in list.indices.reversed().prefix(24) {
            guard list[index].kind == .message, list[index].isQuiet else { return nil }
            guard isWanted(list[index]) else { continue }
            return isAtEnd ? end.remove(at: index) : beginning.remove(at: index)
        }
        return nil
    }

    mutating func add(_ item: StoryItem) {
        guard beginning.count >= bounds.beginning else { return beginning.append(item) }
        end.append(item)
        while end.count - oldest > bounds.end {
            pass(end[oldest])
            oldest += 1
        }
        guard oldest > bounds.end else { return }
        end.removeFirst(oldest)
        oldest = 0
    }

    /// An item leaves the end of the story for its middle, where not everything has room.
    private mutating func pass(_ item: StoryItem) {
        guard item.isWeighty, middle.count < bounds.middle else {
            leftOut[item.kind, default: 0] += 1
            return gap.swallow(item)
        }
        if let item = gap.take() { middle.append(item) }
        middle.append(item)
    }

    /// Everything that was kept, in order, with an item in place of what was left out.
    func finish() -> [StoryItem] {
        var rest = gap
        return beginning + middle + (rest.take().map { [$0] } ?? []) + end[oldest...]
    }
}

/// Items that were left out one after the other: how many, and all that they changed.
private struct StoryGap {
    private var began: Int64?
    private var ended: Int64 = 0
    private var counts: [StoryItem.Kind: Int] = [:]
    private var changes: [StoryChange.Place: StoryChange] = [:]

    mutating func swallow(_ item: StoryItem) {
        began = began ?? item.since
        ended = item.time
        counts[item.kind, default: 0] += 1
        for change in item.changes { changes[change.place] = change }
    }

    mutating func take() -> StoryItem? {
        guard let began else { return nil }
        let parts = StoryItem.Kind.allCases.compactMap { kind in
            counts[kind].map { StoryWords.counted($0, kind) }
        }
        var item = StoryItem(
            .gap, began, nil, "left out here: " + parts.joined(separator: ", "),
            why: "A long story keeps its beginning, its end, and of the middle what matters.")
        item.time = ended
        item.changes = changes.sorted { $0.key < $1.key }.map(\.value)
        self = StoryGap()
        return item
    }
}

extension StoryChange.Place: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        (left.sort, left.first, left.second) < (right.sort, right.first, right.second)
    }
}
