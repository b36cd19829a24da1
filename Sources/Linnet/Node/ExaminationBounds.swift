/// The sizes of databases, in bytes, up to which `doctor` reads them without --deep.
package struct ExaminationBounds: Sendable {
    /// A file up to this size is read whole whenever somebody asks how the device is.
    package let quickBytes: Int64
    /// SQLite checks a file in one go; a node that serves others waits for one up to this size.
    package let servingBytes: Int64

    /// The bounds that hold unless a test asks for other ones.
    package static let usual = ExaminationBounds(quickBytes: 16 << 20, servingBytes: 256 << 20)

    /// Joins the bounds.
    package init(quickBytes: Int64, servingBytes: Int64) {
        self.quickBytes = quickBytes
        self.servingBytes = servingBytes
    }
}
