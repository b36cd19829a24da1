package import LinnetWire

/// The links of a node to other devices, and what it knows of their clocks.
package struct ControlConnections: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 177
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.links, \.clocks) }

    /// One link on which a member is proven.
    package struct Link: ControlStruct, Equatable {
        package static var form: ControlForm<Self> {
            ControlForm(
                Self.init(device:way:sinceMilliseconds:bytesReceived:bytesSent:), \.device, \.way,
                \.sinceMilliseconds, \.bytesReceived, \.bytesSent)
        }

        /// The member.
        package var device: DeviceID
        /// The address, or the kind of carrier.
        package var way: String
        /// The time at which the member was proven, in Unix milliseconds.
        package var sinceMilliseconds: Int64
        /// The bytes that came since the link began.
        package var bytesReceived: UInt64
        /// The bytes that were sent since the link began.
        package var bytesSent: UInt64

        /// Joins the facts.
        package init(
            device: DeviceID, way: String, sinceMilliseconds: Int64, bytesReceived: UInt64,
            bytesSent: UInt64
        ) {
            (self.device, self.way) = (device, way)
            self.sinceMilliseconds = sinceMilliseconds
            (self.bytesReceived, self.bytesSent) = (bytesReceived, bytesSent)
        }
    }

    /// The clock of another device when it was met last.
    package struct Clock: ControlStruct, Equatable {
        package static var form: ControlForm<Self> {
            ControlForm(
                Self.init(device:aheadMilliseconds:isOff:metMilliseconds:), \.device,
                \.aheadMilliseconds, \.isOff, \.metMilliseconds)
        }

        /// The device.
        package var device: DeviceID
        /// Its clock minus this one, in milliseconds.
        package var aheadMilliseconds: Int64
        /// True when the difference is more than clocks may differ.
        package var isOff: Bool
        /// The time at which it was met, in Unix milliseconds.
        package var metMilliseconds: Int64

        /// Joins the facts.
        package init(
            device: DeviceID, aheadMilliseconds: Int64, isOff: Bool, metMilliseconds: Int64
        ) {
            (self.device, self.aheadMilliseconds) = (device, aheadMilliseconds)
            (self.isOff, self.metMilliseconds) = (isOff, metMilliseconds)
        }
    }

    /// The links.
    package var links: [Link]
    /// The clocks.
    package var clocks: [Clock]

    /// Joins both.
    package init(links: [Link], clocks: [Clock]) { (self.links, self.clocks) = (links, clocks) }
}
