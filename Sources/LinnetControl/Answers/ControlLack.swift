package import LinnetWire

/// The stored batches that a device lacks, by what it said when it was last heard.
package struct ControlLack: ControlElement, ControlStruct {
    package static let number: UInt64 = 178
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init(device:batches:opened:parts:), \.device, \.batches, \.opened, \.parts)
    }

    /// The records of one collection that these batches change.
    package struct Part: ControlStruct, Equatable {
        package static var form: ControlForm<Self> {
            ControlForm(Self.init(collection:records:), \.collection, \.records)
        }

        /// The name of the collection.
        package var collection: String
        /// The number of different records.
        package var records: UInt64

        /// Joins both.
        package init(collection: String, records: UInt64) {
            (self.collection, self.records) = (collection, records)
        }
    }

    /// The device.
    package var device: DeviceID
    /// The number of batches.
    package var batches: UInt64
    /// The number of batches whose records are counted: at most all of them.
    package var opened: UInt64
    /// The records that those change, by collection.
    package var parts: [Part]

    /// Joins the facts.
    package init(device: DeviceID, batches: UInt64, opened: UInt64, parts: [Part]) {
        (self.device, self.batches) = (device, batches)
        (self.opened, self.parts) = (opened, parts)
    }
}
