/// A set of up to 32 batches, cuts, promises, records or lives, by number.
package typealias CutSet = UInt32

extension CutSet {
    /// True when a number is in it.
    func has(_ index: Int) -> Bool { self & (1 << CutSet(index)) != 0 }
}
