/// The encryption of a disk, as far as the kernel's device mapper tells.
///
/// Encryption by the drive itself, and by a file system for single directories, is not seen.
package enum DiskEncryption: Equatable, Sendable {
    /// Everything on it goes through dm-crypt.
    case encrypted
    /// It is there, and nothing of it goes through dm-crypt.
    case plain
    /// It could not be told; the words say why.
    case unknown(String)
}

extension DiskEncryption {
    /// Bound on the layers below a device, such as LVM on RAID on dm-crypt.
    private static let mostLayers = 8

    /// Looks at a block device in a tree like that of /sys.
    ///
    /// - Parameters:
    ///   - directory: the device's directory.
    ///   - classes: the directory in which devices stand by their names.
    static func of(_ directory: String, classes: String, layer: Int = 0) -> DiskEncryption {
        guard layer < mostLayers else { return .unknown("too many layers lie below it") }
        guard SystemFile.exists(directory) else {
            return .unknown("the system does not show the disk below it")
        }
        if let name = SystemFile.text("\(directory)/dm/uuid"), name.hasPrefix("CRYPT-") {
            return .encrypted
        }
        if SystemFile.exists("\(directory)/loop") {
            return .unknown("it lies in a file of another file system")
        }
        let below = SystemFile.names("\(directory)/slaves") ?? []
        if below.isEmpty {
            return SystemFile.exists("\(directory)/dm")
                ? .unknown("the system does not show the disk below it") : .plain
        }
        let found = below.map { of("\(classes)/\($0)", classes: classes, layer: layer + 1) }
        if found.contains(.plain) { return .plain }
        return found.first { $0 != .encrypted } ?? .encrypted
    }
}
