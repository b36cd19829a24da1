#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What is wrong with one copy of the key file.
package enum KeyFileFault: Equatable, Sendable {
    /// It is not there.
    case missing
    /// Its check value does not fit its bytes.
    case damaged
    /// It is not read, because others may reach it or it is no plain file.
    case refused(HomeError)
}

/// Everything that is wrong with a home as it lies on the disk, not the first fault alone.
///
/// Neither its lock nor its keys nor its database is used.
package struct HomeInspection: Equatable, Sendable {
    /// What is wrong with the directory, or with what it holds; empty when nothing is.
    package private(set) var directory: [HomeError] = []
    /// What is wrong with each copy of the key file.
    package private(set) var keyFiles: [Home.File: KeyFileFault] = [:]
    /// What is wrong with the database file.
    package private(set) var database: [HomeError] = []

    /// Whether nothing keeps the home from being opened, as far as the files show.
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

    /// Looks at the home at `path`; `isIntact` says whether bytes are those of a whole key file.
    package init(of path: String, isIntact: ([UInt8]) -> Bool) {
        let home: Home
        do throws(HomeError) {
            home = try Home.unchecked(at: path)
            directory = try Home.faults(ofDirectory: home.directory)
        } catch {
            directory = [error]
            return
        }
        if home.isBeingRestored { directory.append(.restoreUnfinished(path: home.path)) }
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
    /// What is wrong with a file that is there.
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
