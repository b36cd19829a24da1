package import LinnetWire

/// The identity of the process and the device that answer.
package struct ControlIdentity: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 113
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init, \.version, \.processID, \.device, \.fingerprint, \.name, \.kind, \.group,
            \.port)
    }

    /// The version of the program.
    package var version: String
    /// Its process id.
    package var processID: UInt32
    /// The device.
    package var device: DeviceID
    /// Its fingerprint words.
    package var fingerprint: [String]
    /// Its name.
    package var name: String
    /// Its kind.
    package var kind: String
    /// The group, when the device is in one.
    package var group: GroupID?
    /// The port that it listens at, when it does.
    package var port: UInt16?

    /// Joins the facts.
    package init(
        version: String, processID: UInt32, device: DeviceID, fingerprint: [String], name: String,
        kind: String, group: GroupID?, port: UInt16?
    ) {
        self.version = version
        self.processID = processID
        self.device = device
        self.fingerprint = fingerprint
        self.name = name
        self.kind = kind
        self.group = group
        self.port = port
    }
}
