/// The doses of a day for which a screen has room.
struct FaceList {
    /// The doses for which a phone's screen has room.
    static let phoneRows = 8

    /// Those that are shown, by their time.
    let shown: [FaceLine]
    /// The number of those that are not.
    let more: Int

    /// Chooses `room` doses: those that are open first, since somebody can still do something about
    /// them, then the latest of the others.
    init(_ doses: [FaceLine], room: Int) {
        let sorted = doses.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }.map(\.element)
        guard sorted.count > room else {
            (shown, more) = (sorted, 0)
            return
        }
        let open = sorted.indices.filter { sorted[$0].isOpen }.prefix(room)
        let settled = sorted.indices.filter { !sorted[$0].isOpen }.suffix(room - open.count)
        shown = (Array(open) + Array(settled)).sorted().map { sorted[$0] }
        more = sorted.count - shown.count
    }

    /// The words for what is not shown: `+52 more`; empty when all is.
    var rest: String { FaceWords.more(more) }
}

extension FaceLine {
    /// True while somebody can still do something about it.
    var isOpen: Bool {
        switch standing {
        case .upcoming, .due, .missed, .unknown: true
        case .taken, .late, .skipped: false
        }
    }
}
