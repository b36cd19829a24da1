/// The place of a field's content within a record: there is one for each field and each time that
/// the record was created anew.
package struct FieldSlot: Hashable, Comparable, Sendable {
    /// The field's number; 0 for what belongs to the record as a whole.
    package let field: UInt32
    /// The generation in which the record began without what it had before.
    package let beginning: UInt32

    /// Names a slot.
    package init(field: UInt32, beginning: UInt32) {
        self.field = field
        self.beginning = beginning
    }

    /// Orders by field, then beginning.
    package static func < (left: FieldSlot, right: FieldSlot) -> Bool {
        left.bits < right.bits
    }

    private var bits: UInt64 { UInt64(field) << 32 | UInt64(beginning) }
}
