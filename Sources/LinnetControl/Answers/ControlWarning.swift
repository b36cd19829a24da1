package import LinnetWire

/// A warning as commands are told of it.
package struct ControlWarning: ControlElement, ControlStruct {
    package static let number: UInt64 = 175
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init(kind:text:logText:remedy:device:count:wallMilliseconds:isKept:), \.kind,
            \.text, \.logText, \.remedy, \.device, \.count, \.wallMilliseconds, \.isKept)
    }

    /// Its kind, as JSON names it.
    package var kind: String
    /// The sentence, with the count when there are several.
    package var text: String
    /// The same with devices by identifier, for logs.
    package var logText: String
    /// The advice; nil when nothing has to be done.
    package var remedy: String?
    /// The device that it is about.
    package var device: DeviceID?
    /// The number of times that it happened.
    package var count: UInt64
    /// The last time that it happened, in Unix milliseconds.
    package var wallMilliseconds: Int64?
    /// True when it stays until it is acknowledged.
    package var isKept: Bool

    /// Joins the facts.
    package init(
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
