import Linnet
import LinnetCrypto
import LinnetFaces
import LinnetMedication
import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The directory that an app shares with its widgets: a snapshot, the public key that it is signed
/// with, and whether the app is in the foreground.
struct SharedContainer {
    let path: String

    private var snapshotPath: String { "\(path)/faces.snapshot" }
    private var keyPath: String { "\(path)/faces.pub" }
    private var foregroundPath: String { "\(path)/foreground" }

    // MARK: The app's side

    /// Leaves a snapshot, whole or not at all.
    func publish(
        _ snapshot: FaceSnapshot, _ home: String, isInForeground: Bool
    ) throws(ControlFailure) {
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
            throw .failed(
                "cannot make \(TerminalText.neutral(path)): \(SystemError.text(of: errno))")
        }
        try requireDirectory()
        let key = try key(of: home)
        let line = Array("\(Hex.encode(key.publicKey))\n".utf8)
        if (try? FileText.read(keyPath)) != line { try FileText.write(line, to: keyPath) }
        if isInForeground {
            try FileText.write("", to: foregroundPath)
        } else {
            unsafe _ = unlink(foregroundPath)
        }
        let bytes: [UInt8]
        do throws(FacesError) {
            bytes = try snapshot.sealed(by: key)
        } catch {
            throw .failed("the snapshot cannot be written: \(error)")
        }
        try FileText.write(bytes, to: snapshotPath)
    }

    private func key(of home: String) throws(ControlFailure) -> SigningKey {
        do throws(HomeError) {
            return try FacesKey.open(in: Home.open(at: home))
        } catch {
            throw .failed(error.commandText)
        }
    }

    /// Refuses a path where no directory is.
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

    /// What a widget finds; `pinned` is the public key that it was told to trust, in hexadecimal.
    func reading(pinned: String?, at now: Instant) -> SnapshotReading {
        let key: [UInt8]
        if let pinned {
            key = Hex.decode(pinned) ?? []
        } else {
            guard let bytes = try? FileText.read(keyPath) else { return .refused(.missing) }
            let text = String(decoding: bytes, as: UTF8.self)
            key = Hex.decode(String(text.prefix { $0 != "\n" })) ?? []
        }
        return SnapshotReading(try? FileText.read(snapshotPath), publicKey: key, at: now)
    }

    /// Changes whenever the app leaves another snapshot.
    var stamp: FileStamp { FileStamp([snapshotPath, keyPath]) }

    /// Whether the app said that it is in the foreground.
    var isInForeground: Bool { unsafe access(foregroundPath, F_OK) == 0 }
}
