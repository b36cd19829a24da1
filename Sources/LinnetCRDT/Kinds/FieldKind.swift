/// The way in which concurrent changes of a field merge.
public enum FieldKind: UInt8, Sendable, CaseIterable {
    /// The latest value wins.
    case lww = 1
    /// Several values change together; the latest change wins as a whole.
    case group = 2
    /// Concurrent values are all kept until a later write replaces them.
    case mv = 3
    /// Amounts under keys are summed, counted from a base; one key counts once.
    case tally = 4
    /// Elements are added and removed; an addition wins over a removal that had not seen it.
    case set = 5
    /// Several devices edit a text at once.
    case text = 6
    /// The record has a place among others; the latest move wins.
    case order = 7
    /// The largest value that was ever written wins, as a flag that stays raised.
    case max = 8
    /// The smallest value that was ever written wins.
    case min = 9
    /// The record holds a file, of which the latest wins; its content travels when it is wanted.
    case file = 10
}

extension FieldKind {
    /// The rules of the kind.
    package var rules: any KindRules.Type {
        switch self {
        case .lww: LatestRules.self
        case .group: GroupRules.self
        case .mv: MultiValueRules.self
        case .tally: TallyRules.self
        case .set: ElementSetRules.self
        case .text: TextRules.self
        case .order: OrderRules.self
        case .max: MaxRules.self
        case .min: MinRules.self
        case .file: FileRules.self
        }
    }

    /// The kind's name in schemas and messages.
    public var name: String { rules.name }

    /// The form in which a value of such a field is given and read.
    package var form: FieldForm { rules.form }

    /// Returns true when records can be found by a field of this kind through such an index.
    package func allows(_ index: FieldIndex) -> Bool { rules.allows(index) }

    /// Returns true when a field of this kind may hold values of the type.
    func allows(_ type: ValueType) -> Bool { rules.allows(type) }
}
