package import LinnetWire

/// A warning in the form that commands are told.
package struct ControlWarning: Equatable, Sendable {
    /// The kind, by its name in JSON.
    package var kind: String
    /// The sentence, with the count when it is above one.
    package var text: String
    /// The same sentence with devices by their identifiers, for logs.
    package var logText: String
    /// A sentence on what helps; nil when nothing has to be done.
    package var remedy: String?
    /// The device that it is about.
    package var device: DeviceID?
    /// The number of times that it happened.
    package var count: UInt64
    /// The time at which it last happened, in Unix milliseconds; nil when that is not known.
    package var wallMilliseconds: Int64?
    /// True when it stays until it is acknowledged.
    package var isKept: Bool

    /// Puts a warning into words.
    package init(_ standing: StandingWarning) {
        let warning = standing.warning
        kind = warning.kind.rawValue
        text = standing.description
        logText = standing.sentence { "device \($0.id.prefix(8))" }
        remedy = warning.commandRemedy
        device = warning.device.flatMap { Hex.decode($0.id) }.flatMap { DeviceID($0) }
        count = UInt64(standing.count)
        wallMilliseconds = standing.wallMilliseconds
        isKept = standing.isKept
    }
}

extension CBORWriter {
    mutating func warning(_ warning: ControlWarning) {
        array(8)
        text(warning.kind)
        text(warning.text)
        text(warning.logText)
        optional(warning.remedy) { $0.text($1) }
        optional(warning.device) { $0.bytes($1) }
        unsigned(warning.count)
        optional(warning.wallMilliseconds) { $0.signed($1) }
        bool(warning.isKept)
    }
}

extension CBORReader {
    mutating func warning() throws(WireError) -> ControlWarning {
        try array(exactly: 8)
        return ControlWarning(
            kind: try text(), text: try text(), logText: try text(),
            remedy: try optional { (reader) throws(WireError) in try reader.text() },
            device: try optional { (reader) throws(WireError) in try reader.bytes32() },
            count: try unsigned(),
            wallMilliseconds: try optional { (reader) throws(WireError) in try reader.signed() },
            isKept: try bool())
    }
}

extension ControlWarning {
    fileprivate init(
        kind: String, text: String, logText: String, remedy: String?, device: DeviceID?,
        count: UInt64, wallMilliseconds: Int64?, isKept: Bool
    ) {
        self.kind = kind
        self.text = text
        self.logText = logText
        self.remedy = remedy
        self.device = device
        self.count = count
        self.wallMilliseconds = wallMilliseconds
        self.isKept = isKept
    }
}
