package import LinnetWire

/// The digest and the version vector of a device.
package struct ControlDigest: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 115
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.digest, \.vector) }

    /// One chain of the vector.
    package struct Entry: ControlStruct, Equatable {
        package static var form: ControlForm<Self> {
            ControlForm(Self.init, \.scope, \.device, \.incarnation, \.sequence, \.head)
        }

        /// The scope.
        package var scope: ScopeID
        /// The device that wrote the chain.
        package var device: DeviceID
        /// The incarnation of that device.
        package var incarnation: Incarnation
        /// The number of the last batch.
        package var sequence: UInt64
        /// The identifier of the last batch.
        package var head: BatchID

        /// Joins the facts.
        package init(
            scope: ScopeID, device: DeviceID, incarnation: Incarnation, sequence: UInt64,
            head: BatchID
        ) {
            self.scope = scope
            self.device = device
            self.incarnation = incarnation
            self.sequence = sequence
            self.head = head
        }
    }

    /// The digest of the visible state.
    package var digest: Bytes32
    /// The vector.
    package var vector: [Entry]

    /// Joins the facts.
    package init(digest: Bytes32, vector: [Entry]) {
        self.digest = digest
        self.vector = vector
    }
}

/// The devices that hold the same as this one now.
package struct ControlSynced: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 143
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.devices) }

    /// The others.
    package var devices: [DeviceID]

    /// Names the others.
    package init(_ devices: [DeviceID]) { self.devices = devices }
}
