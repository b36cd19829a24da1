import LinnetStorage
import LinnetSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Finds out why nothing can be written in a home whose content may well be readable.
enum DiskProblem {
    private static let codes = [ENOSPC, EDQUOT, EROFS, EACCES, EPERM]

    /// Returns the reason when a home did not open because its disk takes no writes; nil for other
    /// reasons.
    static func behind(_ error: LinnetError, in home: Home) -> HomeError? {
        switch error {
        case .home(.unwritable(let path, let code)): .unwritable(path: path, code: code)
        case .home(.system(_, _, let code)) where codes.contains(code):
            .unwritable(path: home.path, code: code)
        case .home(.system("write", _, EIO)), .home(.system("fsync", _, EIO)):
            .unwritable(path: home.path, code: EIO)
        default: nil
        }
    }

    /// Returns a failure of the store in the form that an application is told, with the disk's own
    /// reason where it has one.
    static func told(_ error: StorageError, in home: Home) -> LinnetError {
        let code: Int32? =
            switch error {
            case .diskFull: ENOSPC
            // The earlier state can be read; nobody knows what became of the rest.
            case .io where error.isFailedWrite: refusal(home) ?? EIO
            case .readOnly, .cannotOpen, .io: refusal(home)
            default: nil
            }
        if let code { return .home(.unwritable(path: home.path, code: code)) }
        return LinnetError(error)
    }

    /// Returns the code with which the system would refuse to write the database or files beside
    /// it; nil when it would not.
    private static func refusal(_ home: Home) -> Int32? {
        for path in [home.path, home.path(of: .database), home.path(of: .databaseLog)] {
            if unsafe access(path, W_OK) != 0, codes.contains(errno) { return errno }
        }
        var room = statvfs()
        guard unsafe statvfs(home.path, &room) == 0 else { return nil }
        return room.f_bavail == 0 || (room.f_files > 0 && room.f_ffree == 0) ? ENOSPC : nil
    }

    /// Returns what stands in the way of writing in a home, after a failure that an application was
    /// told.
    static func standing(behind error: LinnetError, in home: Home) -> HomeError {
        if case .home(let told) = error { told } else { .unwritable(path: home.path, code: EIO) }
    }
}

extension Home {
    /// The bytes of a trial: more than a batch with what the log adds to it.
    private static var trialBytes: Int { 512 << 10 }

    /// True when the disk takes writes: it tries some, and takes them back.
    var takesWrites: Bool {
        let name = Leftover.trial.rawValue
        do throws(HomeError) {
            try directory.remove(name)
            let file = try directory.file(name, O_WRONLY | O_CREAT | O_EXCL)
            try file.write([UInt8](repeating: 0xa5, count: Self.trialBytes))
            try file.synchronize()
            try directory.remove(name)
            return true
        } catch {
            try? directory.remove(name)
            return false
        }
    }
}
