import Linnet
import LinnetAPI
import LinnetControl
import LinnetCrypto
import LinnetFaces
import LinnetMedication
import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The directory that an app shares with its widgets.
struct WidgetShare {
    let path: String

    private var directory: SharedDirectory { SharedDirectory(at: path) }

    // MARK: The app's side

    /// Leaves a snapshot, whole or not at all, and makes the directory where there is none.
    func publish(
        _ snapshot: FaceSnapshot, _ home: String, isInForeground: Bool
    ) throws(ControlFailure) {
        try publish(try Self.sealed(snapshot, home), isInForeground: isInForeground)
    }

    /// Makes the directory where there is none, before anything is made that could be left nowhere.
    func makeDirectory() throws(ControlFailure) {
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
            throw .failed(
                "cannot make \(TerminalText.neutral(path)): \(SystemError.text(of: errno))")
        }
        try requireDirectory()
    }

    /// Leaves a signed snapshot, whole or not at all, and makes the directory where there is none.
    func publish(_ sealed: SealedSnapshot, isInForeground: Bool) throws(ControlFailure) {
        try makeDirectory()
        var directory = directory
        do throws(HomeError) {
            try directory.publish(sealed, isInForeground: isInForeground)
        } catch {
            throw .failed(error.commandText)
        }
    }

    /// Signs a snapshot with the key of a home for faces.
    static func sealed(
        _ snapshot: FaceSnapshot, _ home: String
    ) throws(ControlFailure) -> SealedSnapshot {
        let key = try key(of: home)
        do throws(FacesError) {
            return try SealedSnapshot(snapshot, by: key)
        } catch {
            throw .failed("the snapshot cannot be written: \(error)")
        }
    }

    private static func key(of home: String) throws(ControlFailure) -> SigningKey {
        do throws(HomeError) {
            return try FacesKey.open(in: Home.open(at: home))
        } catch {
            throw .failed(error.commandText)
        }
    }

    /// Throws where the path is not that of a directory.
    func requireDirectory() throws(ControlFailure) {
        let shown = TerminalText.neutral(path)
        switch FilePath.kind(of: path) {
        case .directory: return
        case .other: throw .failed("\(shown) is not a directory: name one with --share DIR")
        case .missing:
            throw .failed(
                "there is no directory \(shown); 'linnet widget publish --share DIR' makes it")
        }
    }

    // MARK: The widget's side

    /// Reads the snapshot that a widget finds; `pinned` is the public key that it was told to
    /// trust, in hexadecimal.
    func reading(pinned: String?, at now: Instant) -> SnapshotReading {
        directory.reading(trusting: pinned.map { Hex.decode($0) ?? [] }, at: now)
    }

    /// A stamp that changes whenever the app leaves another snapshot.
    var stamp: FileStamp {
        FileStamp([SharedFile.snapshot, .key].map { "\(path)/\($0.rawValue)" })
    }

    /// True while the app says that it is in the foreground.
    var isInForeground: Bool {
        unsafe access("\(path)/\(SharedFile.foreground.rawValue)", F_OK) == 0
    }
}
