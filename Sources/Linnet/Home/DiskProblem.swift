import LinnetStorage

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Why nothing can be written in a home whose content may well be readable.
enum DiskProblem {
    private static let codes = [ENOSPC, EDQUOT, EROFS, EACCES, EPERM]

    /// What stands behind a failure of opening a home when it is a disk that takes no writes; nil
    /// when it is something else.
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

    /// A failure of the store, as an application is told: with the disk's own reason where it has
    /// one.
    static func told(_ error: StorageError, in home: Home) -> LinnetError {
        let code: Int32? =
            switch error {
            case .diskFull: ENOSPC
            // What stood before can be read, and nobody knows what became of the rest.
            case .io where error.isFailedWrite: refusal(home) ?? EIO
            case .readOnly, .cannotOpen, .io: refusal(home)
            default: nil
            }
        if let code { return .home(.unwritable(path: home.path, code: code)) }
        return LinnetError(error)
    }

    /// Why the system would refuse to write the database or beside it; nil when it would not.
    private static func refusal(_ home: Home) -> Int32? {
        for path in [home.path, home.path(of: .database), home.path(of: .databaseLog)] {
            if unsafe access(path, W_OK) != 0, codes.contains(errno) { return errno }
        }
        var room = statvfs()
        guard unsafe statvfs(home.path, &room) == 0 else { return nil }
        return room.f_bavail == 0 || (room.f_files > 0 && room.f_ffree == 0) ? ENOSPC : nil
    }

    /// What stands in the way of writing in a home, after a failure that an application was told.
    static func standing(behind error: LinnetError, in home: Home) -> HomeError {
        if case .home(let told) = error { told } else { .unwritable(path: home.path, code: EIO) }
    }
}

extension Home {
    /// How much is tried to be written: more than a batch and what the log adds to it.
    private static var trialBytes: Int { 512 << 10 }

    /// Whether the disk takes writes: some are tried, and taken back.
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
