/// The files of a disk at one moment: a backup, or what a clone starts from.
package struct DiskImage: Equatable, Sendable {
    /// One file.
    package struct File: Equatable, Sendable {
        /// Its name on the disk, without the disk's own.
        package let name: String
        /// All of its bytes.
        package let bytes: [UInt8]

        /// A file of these bytes.
        package init(name: String, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    /// The files in the order of their making.
    package let files: [File]

    /// An image of these files.
    package init(files: [File]) { self.files = files }

    /// The bytes of a file, nil when there is none of that name.
    package func bytes(of name: String) -> [UInt8]? {
        files.first { $0.name == name }?.bytes
    }
}
