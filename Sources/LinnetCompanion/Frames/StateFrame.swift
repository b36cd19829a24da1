package import LinnetWire

/// One end's account of itself for the other: at the start of a link and at every change.
package struct StateFrame: Equatable, Sendable {
    /// The sender's installation.
    package var installation: Bytes8
    /// The state of the sender's app.
    package var app: AppState
    /// The place of the complication; `none` from a phone.
    package var complication: ComplicationPlacement
    /// True when the sender has not been unlocked since it restarted.
    package var isLocked: Bool
    /// The sender's own `isReachable`.
    package var isReachable: Bool

    func write(to writer: inout CBORWriter) {
        writer.array(5)
        writer.bytes(installation)
        writer.unsigned(UInt64(app.rawValue))
        writer.unsigned(UInt64(complication.rawValue))
        writer.bool(isLocked)
        writer.bool(isReachable)
    }

    static func read(from reader: inout CBORReader) throws(WireError) -> StateFrame {
        try reader.array(exactly: 5)
        let installation = try reader.bytes8()
        let app = try reader.unsigned(max: 4)
        let placement = try reader.unsigned(max: 2)
        guard let app = AppState(rawValue: UInt8(truncatingIfNeeded: app)),
            let complication = ComplicationPlacement(
                rawValue: UInt8(truncatingIfNeeded: placement))
        else { throw .unexpectedType }
        return StateFrame(
            installation: installation, app: app, complication: complication,
            isLocked: try reader.bool(), isReachable: try reader.bool())
    }
}
