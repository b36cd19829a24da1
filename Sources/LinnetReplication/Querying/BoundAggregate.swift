import LinnetCRDT
import LinnetWire

/// An aggregate whose field was found in its collection.
struct BoundAggregate {
    let aggregate: Aggregate
    let reference: FieldReference?
    let type: ValueType?

    init(_ aggregate: Aggregate, in collection: Collection) throws(SchemaError) {
        self.aggregate = aggregate
        guard let name = aggregate.field else {
            (reference, type) = (nil, nil)
            return
        }
        let found = try FieldReference(name, in: collection)
        reference = found
        type = found.field.map { $0.members[found.member ?? 0].type }
        let isOne = found.member != nil || found.field?.kind.form.isOneValue ?? true
        guard isOne else {
            throw .noFigure(field: name, reason: "it does not hold one value in each record")
        }
        switch (aggregate, type) {
        case (.sum, .int?), (.sum, .decimal?), (.average, .int?), (.average, .decimal?): break
        case (.sum, .double?), (.average, .double?):
            throw .noFigure(
                field: name, reason: "sums of floating-point numbers depend on their order")
        case (.sum, _), (.average, _):
            throw .noFigure(field: name, reason: "it does not hold numbers")
        default: break
        }
    }

    /// The field whose index has the value at one of its ends; nil when records have to be read.
    var end: (field: Field, isLast: Bool)? {
        guard let reference, reference.member == nil, let field = reference.field,
            field.index == .clear
        else { return nil }
        switch aggregate {
        case .min: return (field, false)
        case .max: return (field, true)
        case .count, .sum, .average: return nil
        }
    }
}

/// Figures that grow with each record.
struct RunningFigures {
    private var count: Int64 = 0
    private var sums: [ExactSum]
    private var ends: [Value]

    init(_ aggregates: [BoundAggregate]) {
        sums = Array(repeating: ExactSum(), count: aggregates.count)
        ends = Array(repeating: .null, count: aggregates.count)
    }

    mutating func add(_ view: RecordView, to aggregates: [BoundAggregate]) {
        count += 1
        for (place, bound) in aggregates.enumerated() {
            guard let value = bound.reference?.value(in: view), value != .null else { continue }
            switch bound.aggregate {
            case .count: break
            case .sum, .average:
                if case .int(let number) = value { sums[place].add(number) }
                if case .decimal(let number) = value { sums[place].add(number) }
            case .min:
                if ends[place] == .null || ValueOrder.sortsBefore(value, ends[place]) {
                    ends[place] = value
                }
            case .max:
                if ends[place] == .null || ValueOrder.sortsBefore(ends[place], value) {
                    ends[place] = value
                }
            }
        }
    }

    /// Returns the figures; throws `overflow` for a sum that its type does not hold.
    func figures(of aggregates: [BoundAggregate]) throws(SchemaError) -> [Figure] {
        var figures: [Figure] = []
        for (place, bound) in aggregates.enumerated() {
            switch bound.aggregate {
            case .count: figures.append(Figure(.int(count)))
            case .min, .max: figures.append(Figure(ends[place]))
            case .sum(let field):
                if bound.type == .int {
                    guard let sum = sums[place].whole else { throw .overflow(field: field) }
                    figures.append(Figure(.int(sum)))
                } else {
                    guard let sum = sums[place].total else { throw .overflow(field: field) }
                    figures.append(Figure(.decimal(sum)))
                }
            case .average(let field):
                guard sums[place].count > 0 else {
                    figures.append(Figure(.null))
                    continue
                }
                guard let mean = sums[place].mean else { throw .overflow(field: field) }
                figures.append(Figure(.decimal(mean.value), isExact: mean.isExact))
            }
        }
        return figures
    }
}
