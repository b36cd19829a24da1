import LinnetCRDT

/// A tally as its rule is written: the latest count, and every key that whoever counted had seen
/// nothing of, with the latest amount that stands for it.
struct ReferenceTally: Equatable {
    /// One key.
    struct Line: Equatable {
        var key: [UInt8]
        var amount: Decimal64
        var isCovered: Bool
    }

    private(set) var total = Decimal64.zero
    /// The count from which the total starts.
    private(set) var base: Position?
    /// By the keys' bytes.
    private(set) var lines: [Line] = []

    private struct Entry {
        var operation: ReferenceOperation
        var payload: TallyEntryPayload
    }

    init(_ operations: [ReferenceOperation], among all: [ReferenceOperation]) {
        var replaced: Set<Replaced> = []
        for operation in all {
            guard case .entry(let payload) = operation.entry.statement else { continue }
            for place in operation.meaning(of: payload.observed) {
                replaced.insert(Replaced(key: Array(payload.key.utf8), place: place))
            }
        }
        var entries: [Entry] = []
        var counted: (operation: ReferenceOperation, payload: TallyBasePayload)?
        for operation in operations {
            switch operation.entry.statement {
            case .entry(let payload):
                entries.append(Entry(operation: operation, payload: payload))
            case .base(let payload):
                let isLater =
                    counted.map {
                        ($0.operation.stamp, $0.operation.place)
                            < (operation.stamp, operation.place)
                    } ?? true
                if isLater { counted = (operation, payload) }
            default: continue
            }
        }
        var terms = [counted?.payload.amount ?? .zero]
        base = counted?.operation.place
        var keys: [[UInt8]] = []
        for entry in entries where !keys.contains(Array(entry.payload.key.utf8)) {
            keys.append(Array(entry.payload.key.utf8))
        }
        for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let own = entries.filter { $0.payload.key.utf8.elementsEqual(key) }
            let isCovered = own.contains { entry in
                counted.map { $0.operation.hasSeen(entry.operation, by: $0.payload.context) }
                    ?? false
            }
            let amount = Self.amount(
                of: own.filter {
                    !replaced.contains(Replaced(key: key, place: $0.operation.place))
                })
            lines.append(Line(key: key, amount: amount, isCovered: isCovered))
            if !isCovered { terms.append(amount) }
        }
        total = Self.sum(terms)
    }

    /// An entry of a key that somebody took the place of.
    private struct Replaced: Hashable {
        var key: [UInt8]
        var place: Position
    }

    /// The latest of the amounts that stand, those that are zero left out.
    private static func amount(of standing: [Entry]) -> Decimal64 {
        standing.filter { $0.payload.amount != .zero }.max {
            ($0.operation.stamp, $0.operation.place) < ($1.operation.stamp, $1.operation.place)
        }?.payload.amount ?? .zero
    }

    /// In millionths where all terms are whole numbers of these; else as the product adds.
    private static func sum(_ terms: [Decimal64]) -> Decimal64 {
        var total: Int64 = 0
        for term in terms {
            var millionths = term.mantissa
            guard (-6...3).contains(term.exponent), abs(millionths) < 1_000_000_000 else {
                return Decimal64.sum(terms)
            }
            for _ in 0..<(term.exponent + 6) { millionths *= 10 }
            let (sum, overflow) = total.addingReportingOverflow(millionths)
            if overflow { return Decimal64.sum(terms) }
            total = sum
        }
        return Decimal64(mantissa: total, exponent: -6) ?? .zero
    }
}
