/// The reason why something that was written does not show.
public enum HiddenReason: UInt8, Equatable, Sendable {
    /// The value there has the largest stamp that there is, which no stamp passes. After a delete
    /// of the record the same write shows.
    case ceiling = 1
    /// The value there has the largest stamp that there is, and the record cannot be deleted.
    case ceilingForGood = 2
    /// The last count of the tally had taken this event into account, so that its amount changes
    /// nothing.
    case counted = 3
    /// More values stand there than one write can replace, or than a reader is shown. The same
    /// write again replaces the next part of them.
    case tooMany = 4
    /// Nothing was written: the record was deleted and created as often as can be counted, and can
    /// no longer be deleted or brought back.
    case lastGeneration = 5
    /// The record holds something of another kind there, so that the write counts nowhere.
    case contradiction = 6
    /// A larger value stands in a field that keeps the largest, or a smaller one in a field that
    /// keeps the smallest.
    case surpassed = 7
}

extension HiddenReason: CustomStringConvertible {
    /// Says why a change does not show and what to do, as the end of a sentence.
    public var description: String {
        switch self {
        case .ceiling:
            "it was written but does not show, because what stands there has the largest timestamp"
                + " that there is, which no write passes; delete the record, then write it anew"
        case .ceilingForGood:
            "it was written but does not show, because what stands there has the largest timestamp"
                + " that there is, which no write passes, and the record cannot be deleted;"
                + " use another record"
        case .counted:
            "it was written but changes nothing, because whoever counted last had counted this in;"
                + " count anew, or use another key"
        case .tooMany:
            "it was written but does not show as asked, because more stands there than one write"
                + " replaces; write it again"
        case .lastGeneration:
            "it was not written, because the record was deleted and created as often as can be"
                + " counted; use another record"
        case .contradiction:
            "it was written but counts nowhere, because the record holds something of another kind"
                + " there; use another record"
        case .surpassed:
            "it was written but does not show, because a larger value stands there, or in a field"
                + " that keeps the smallest a smaller one; use another field or another record"
        }
    }
}

extension HiddenReason {
    /// The reason's name for programs.
    package var name: String {
        switch self {
        case .ceiling: "ceiling"
        case .ceilingForGood: "ceilingForGood"
        case .counted: "counted"
        case .tooMany: "tooMany"
        case .lastGeneration: "lastGeneration"
        case .contradiction: "contradiction"
        case .surpassed: "surpassed"
        }
    }
}
