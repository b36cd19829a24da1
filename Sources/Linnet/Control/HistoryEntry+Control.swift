package import LinnetControl
package import LinnetWire

extension Device: ControlStruct {
    package static var form: ControlForm<Self> { ControlForm(Self.init(id:name:), \.id, \.name) }
}

extension HistoryEntry.Action: ControlCodable {}

extension HistoryEntry: ControlElement, ControlStruct {
    package static let number: UInt64 = 128
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init, \.id, \.field, \.action, \.value, \.key, \.device, \.broughtBy,
            \.writtenMilliseconds, \.stampMilliseconds, \.isTimeBelieved, \.fate)
    }
}

extension HistoryEntry.Fate: ControlCodable {
    package func write(to writer: inout CBORWriter) {
        switch self {
        case .shows: writer.variant(0)
        case .lost(let winner): writer.variant(1, winner)
        case .deleted: writer.variant(2)
        case .quarantined(let reason): writer.variant(3, reason)
        case .unknown: writer.variant(4)
        case .waiting(let reason): writer.variant(5, reason)
        }
    }

    package static func read(
        from reader: inout CBORReader
    ) throws(WireError) -> HistoryEntry.Fate {
        let variant = try reader.variant()
        switch variant.number {
        case 0: return try reader.whole(variant, .shows)
        case 1: return try reader.parts(of: variant, HistoryEntry.Fate.lost)
        case 2: return try reader.whole(variant, .deleted)
        case 3: return try reader.parts(of: variant, HistoryEntry.Fate.quarantined)
        case 4: return try reader.whole(variant, .unknown)
        case 5: return try reader.parts(of: variant, HistoryEntry.Fate.waiting)
        default: throw .unexpectedType
        }
    }
}

extension Explanation.Holding: ControlCodable {}

extension Explanation.Holder: ControlStruct {
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.device, \.holding) }
}

extension Explanation: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 129
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init, \.field, \.value, \.rule, \.winners, \.others, \.holders, \.waiting)
    }
}

extension ConvergenceCertificate: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 150
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init, \.device, \.signedMilliseconds, \.vectorDigest, \.visibleDigest, \.bytes)
    }
}

extension ConvergenceAgreement: ControlElement, ControlStruct {
    package static let number: UInt64 = 152
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.own, \.theirs) }
}
