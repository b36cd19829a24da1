import LinnetControl
import LinnetWire

extension ControlWarning {
    /// Puts a warning into words.
    package init(_ standing: StandingWarning) {
        let warning = standing.warning
        self.init(
            kind: warning.kind.rawValue, text: standing.description,
            logText: standing.sentence { "device \($0.id.prefix(8))" },
            remedy: warning.commandRemedy,
            device: warning.device.flatMap { Hex.decode($0.id) }.flatMap { DeviceID($0) },
            count: UInt64(standing.count), wallMilliseconds: standing.wallMilliseconds,
            isKept: standing.isKept)
    }
}
