/// One life of a device: the device, and how often it began anew after a copy was put back.
struct CutAuthor: Hashable, Sendable {
    var device: Int8
    var life: Int8

    /// Itself among lives; a device has four at most.
    var bit: CutSet { 1 << CutSet(Int(device) * 4 + Int(life)) }

    /// All lives of a device.
    static func all(of device: Int) -> CutSet { 0xf << CutSet(device * 4) }
}

/// A batch, of which only the order matters.
struct CutBatch: Hashable, Sendable {
    var author: CutAuthor
    /// All that its author showed when it wrote it.
    var past: CutSet
}
