package import LinnetReplication
package import LinnetWire

// Figures about records.

extension Aggregate: ControlCodable {
    package func write(to writer: inout CBORWriter) {
        switch self {
        case .count: writer.variant(0)
        case .sum(let field): writer.variant(1, field)
        case .min(let field): writer.variant(2, field)
        case .max(let field): writer.variant(3, field)
        case .average(let field): writer.variant(4, field)
        }
    }

    package static func read(from reader: inout CBORReader) throws(WireError) -> Aggregate {
        let variant = try reader.variant()
        switch variant.number {
        case 0: return try reader.whole(variant, .count)
        case 1: return try reader.parts(of: variant, Aggregate.sum)
        case 2: return try reader.parts(of: variant, Aggregate.min)
        case 3: return try reader.parts(of: variant, Aggregate.max)
        case 4: return try reader.parts(of: variant, Aggregate.average)
        default: throw .unexpectedType
        }
    }
}

extension Figure: ControlStruct {
    package static var form: ControlForm<Self> {
        ControlForm({ Figure($0, isExact: $1) }, \.value, \.isExact)
    }
}

extension FigureGroup: ControlStruct {
    package static var form: ControlForm<Self> {
        ControlForm({ FigureGroup(by: $0, figures: $1) }, \.by, \.figures)
    }
}
