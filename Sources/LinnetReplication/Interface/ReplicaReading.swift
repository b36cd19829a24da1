import LinnetWire

/// A replica as people ask about it: who belongs to its group, what is known of the others, and how
/// the value of a field came about. It is made for one question, and changes nothing.
package struct ReplicaReading {
    /// The records as they stand.
    let records: RecordReader
    let hidden: HiddenBatches
    let damaged: DamagedBatches
    let sessions: Sessions
    /// This device.
    let device: DeviceID

    var log: BatchLog { records.log }
}
