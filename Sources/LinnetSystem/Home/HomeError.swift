#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The reason why a home directory, or a file in it, cannot be used.
public enum HomeError: Error, Equatable, Sendable {
    /// There is no directory at this path.
    case missing(path: String)
    /// Something other than a directory is at this path.
    case notADirectory(path: String)
    /// The directory belongs to another user.
    case directoryOwner(path: String, userID: UInt32)
    /// Others may enter the directory; `mode` holds its permission bits.
    case directoryPermissions(path: String, mode: UInt32)
    /// Another process uses the home; its process id is there when the lock file tells it.
    case locked(path: String, processID: Int32?)
    /// The home has no device yet.
    case keyFileMissing(path: String)
    /// The restoring of a backup into the home was cut short.
    case restoreUnfinished(path: String)
    /// The recovery of a group from a mailbox into this home was cut short.
    case recoveryUnfinished(path: String)
    /// A backup can only be restored into an empty home; this is the name of something that is
    /// there.
    case notEmpty(path: String, name: String)
    /// There is a file where a new one was to be written.
    case fileExists(path: String)
    /// Another process writes a backup to the same place.
    case backupUnderWay(path: String)
    /// The home already has a device.
    case keyFileExists(path: String)
    /// The key file belongs to another user.
    case keyFileOwner(path: String, userID: UInt32)
    /// Others may read or change the key file; `mode` holds its permission bits.
    case keyFilePermissions(path: String, mode: UInt32)
    /// The key file is a symbolic link.
    case keyFileIsLink(path: String)
    /// The key file has more than one name.
    case keyFileLinkCount(path: String, count: UInt64)
    /// The key file is a directory, a pipe or a device.
    case keyFileNotRegular(path: String)
    /// The key file and its copy are both unreadable.
    case keyFileDamaged(path: String)
    /// The database of the home's device is missing or empty.
    case databaseMissing(path: String)
    /// There is a database, but the keys that open it are gone.
    case keyFileLost(path: String)
    /// A file of the home is a link, a directory, a pipe or a device.
    case fileNotRegular(path: String)
    /// A file of the home belongs to another user.
    case fileOwner(path: String, userID: UInt32)
    /// A file of the home has more than one name.
    case fileLinkCount(path: String, count: UInt64)
    /// Nothing can be written in the home, but reading goes on. `code` is the `errno` that says
    /// why: the disk is full or mounted read-only, or the files may not be written.
    case unwritable(path: String, code: Int32)
    /// The operating system refused a call: its name, the path and `errno`.
    case system(call: String, path: String, code: Int32)
}

extension HomeError: CustomStringConvertible {
    /// A sentence on what is wrong and what to do, for whoever uses the library.
    public var description: String {
        switch self {
        case .missing(let path):
            "there is no home directory at \(path); make one with Node.create or Node.createToJoin"
        case .notADirectory(let path):
            "\(path) is not a directory; choose another path"
        case .directoryOwner(let path, let user):
            "\(path) belongs to user \(user), not to you; use a home directory of your own"
        case .directoryPermissions(let path, let mode):
            "\(path) is open to other users (mode \(Self.octal(mode)));"
                + " close it with: chmod 700 '\(path)'"
        case .locked(let path, let process):
            if let process {
                "\(path) is in use by process \(process); stop that process first"
            } else {
                "\(path) is in use by another process; stop that process first"
            }
        case .fileExists(let path):
            "\(path) exists already; choose another path, or allow it to be replaced"
        case .backupUnderWay(let path):
            "another process writes \(path); wait for it"
        case .restoreUnfinished(let path):
            "the restoring of a backup into \(path) was cut short; call Node.restore again"
        case .recoveryUnfinished(let path):
            "the recovery of a group into \(path) was cut short; call Node.recover again"
        case .notEmpty(let path, let name):
            "\(path) is not empty, it has '\(name)'; choose another path"
        case .unwritable(let path, let code): Self.unwritable(path, code)
        case .system(let call, let path, let code):
            "\(call) failed on \(path): \(SystemError.text(of: code))"
        default: keyFileDescription
        }
    }

    private var keyFileDescription: String {
        switch self {
        case .keyFileMissing(let path):
            "there is no device key at \(path); make a device with Node.create or Node.createToJoin"
        case .keyFileExists(let path):
            "\(path) exists already: this home has a device; open it, or choose another path"
        case .keyFileOwner(let path, let user):
            "the key file \(path) belongs to user \(user), not to you;"
                + " restore your own copy of it"
        case .keyFilePermissions(let path, let mode):
            "the key file \(path) is open to other users (mode \(Self.octal(mode)));"
                + " close it with: chmod 600 '\(path)', and consider the device's keys known"
        case .keyFileIsLink(let path):
            "the key file \(path) is a symbolic link; put the file itself there"
        case .keyFileLinkCount(let path, let count):
            "the key file \(path) has \(count) names (hard links); remove the others"
        case .keyFileNotRegular(let path):
            "\(path) is not a regular file; put the key file itself there"
        case .keyFileDamaged(let path):
            "the key file \(path) and its copy are damaged;"
                + " restore one of them from a backup, or join the group as a new device"
        default: databaseDescription
        }
    }

    private var databaseDescription: String {
        switch self {
        case .databaseMissing(let path):
            "the database \(path) is missing or empty, and the keys beside it are those of a device"
                + " that had one; nothing was made in its place. Put the file back, or restore a"
                + " backup into another home with 'linnet restore'; or give this device up with"
                + " 'linnet wipe' and join the group again as a new one"
        case .keyFileLost(let path):
            "the key file \(path) and its copy are gone, and the database beside them opens with"
                + " no other; nothing was changed. Put the key file back, or restore a backup into"
                + " another home with Node.restore; or give this device up: remove the directory"
                + " and join the group again as a new one"
        case .fileNotRegular(let path):
            "\(path) is not a regular file; put the file itself there"
        case .fileOwner(let path, let user):
            "\(path) belongs to user \(user), not to you; make it yours again with chown"
        case .fileLinkCount(let path, let count):
            "\(path) has \(count) names (hard links); remove the others"
        default: "the home directory cannot be used"
        }
    }

    private static func unwritable(_ path: String, _ code: Int32) -> String {
        switch code {
        case ENOSPC:
            "the disk that holds \(path) is full; nothing was changed, and what is there can be"
                + " read. Free some space and try again"
        case EDQUOT:
            "your share of the disk that holds \(path) is used up; nothing was changed, and what is"
                + " there can be read. Free some space and try again"
        case EROFS:
            "the disk that holds \(path) is mounted for reading only; nothing was changed, and what"
                + " is there can be read. Mount it for writing and try again"
        case EIO:
            "the disk that holds \(path) failed (\(SystemError.text(of: code))): it takes no"
                + " writes, and whether it kept the last change shows only when it does again."
                + " Check the disk, and look at what is there before you repeat the change"
        default:
            "\(path) cannot be written (\(SystemError.text(of: code))); nothing was changed, and"
                + " what is there can be read. Check the permissions of the directory and its files"
        }
    }

    private static func octal(_ mode: UInt32) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
