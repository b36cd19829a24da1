package import LinnetSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A fault of one copy of the key file.
package enum KeyFileFault: Equatable, Sendable {
    /// The copy is missing.
    case missing
    /// The check value does not fit the bytes.
    case damaged
    /// The copy is not read, because others may reach it or it is not a regular file.
    case refused(HomeError)
}

/// All faults of a home as it lies on the disk, not only the first one.
///
/// The inspection uses neither the lock nor the keys nor the database.
package struct HomeInspection: Equatable, Sendable {
    /// The faults of the directory, and a restoring in it that was cut short; empty when there are
    /// none.
    package private(set) var directory: [HomeError] = []
    /// The fault of each copy of the key file that has one.
    package private(set) var keyFiles: [Home.File: KeyFileFault] = [:]
    /// The faults of the database file.
    package private(set) var database: [HomeError] = []

    /// True when no fault of the files keeps the home from being opened.
    package var canBeOpened: Bool {
        let isRefused = keyFiles.values.contains { if case .refused = $0 { true } else { false } }
        let isAbsent = database.contains { fault in
            switch fault {
            case .fileOwner, .fileLinkCount: false
            default: true
            }
        }
        return directory.isEmpty && keyFiles.count < 2 && !isRefused && !isAbsent
    }

    /// Looks at the home at `path`; `isIntact` tells whether bytes are those of a whole key file.
    package init(of path: String, isIntact: ([UInt8]) -> Bool) {
        let home: Home
        do throws(HomeError) {
            home = try Home.unchecked(at: path)
            directory = try Home.faults(ofDirectory: home.directory)
        } catch {
            directory = [error]
            return
        }
        do throws(HomeError) {
            try home.requireFinished()
        } catch {
            directory.append(error)
        }
        if home.hasDevice {
            for file in [Home.File.key, .keyCopy] {
                keyFiles[file] = KeyFileStore(home).fault(of: file, isIntact: isIntact)
            }
        }
        inspectDatabase(home)
    }

    private mutating func inspectDatabase(_ home: Home) {
        do throws(HomeError) {
            try home.requireDatabase()
            if !home.hasDevice { throw .keyFileMissing(path: home.path(of: .key)) }
        } catch {
            database.append(error)
        }
        for file in [Home.File.database, .databaseLog, .witness] {
            database += home.faults(of: file)
        }
    }
}

extension Home {
    /// Returns the faults of a file, if it is there.
    fileprivate func faults(of file: File) -> [HomeError] {
        guard directory.contains(file.rawValue) else { return [] }
        let path = path(of: file)
        do throws(HomeError) {
            let status = try directory.status(of: file.rawValue)
            guard UInt32(status.st_mode) & UInt32(S_IFMT) == UInt32(S_IFREG) else {
                return [.fileNotRegular(path: path)]
            }
            var faults: [HomeError] = []
            if status.st_uid != geteuid() {
                faults.append(.fileOwner(path: path, userID: status.st_uid))
            }
            if status.st_nlink != 1 {
                faults.append(.fileLinkCount(path: path, count: UInt64(status.st_nlink)))
            }
            return faults
        } catch {
            return [error]
        }
    }
}
