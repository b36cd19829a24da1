public import LinnetMedication
import LinnetWire

/// The files of a shared container.
public enum SharedFile: String, CaseIterable, Sendable {
    /// The signed snapshot.
    case snapshot = "faces.snapshot"
    /// The public key that it is signed with, in hexadecimal, and a line feed.
    case key = "faces.pub"
    /// An empty file that is there while the app is in the foreground.
    case foreground
}

/// The place that an app shares with its widgets: a directory, or memory in an application's tests.
public protocol SharedContainer {
    /// The failures of the place itself.
    associatedtype Failure: Error

    /// Reads a file; nil where there is none.
    func bytes(of file: SharedFile) throws(Failure) -> [UInt8]?

    /// Puts bytes in the place of a file, whole or not at all; nil removes it.
    mutating func replace(_ file: SharedFile, with bytes: [UInt8]?) throws(Failure)
}

extension SharedContainer {
    /// Leaves a snapshot for the widgets, whole or not at all.
    ///
    /// - Parameters:
    ///   - snapshot: the signed snapshot.
    ///   - isInForeground: true while a person uses the app, so that reloads are free of charge.
    public mutating func publish(
        _ snapshot: SealedSnapshot, isInForeground: Bool = false
    ) throws(Failure) {
        let line = Array("\(Hex.encode(snapshot.publicKey))\n".utf8)
        if try bytes(of: .key) != line { try replace(.key, with: line) }
        try replace(.foreground, with: isInForeground ? [] : nil)
        try replace(.snapshot, with: snapshot.bytes)
    }

    /// Reads what a widget may show; a container that cannot be read has no snapshot.
    ///
    /// - Parameters:
    ///   - key: the 32 bytes of the only public key that is trusted; nil to trust the one beside
    ///     the snapshot, and with it whoever can write to the container.
    ///   - now: the moment at which the snapshot is to be believed.
    public func reading(trusting key: [UInt8]? = nil, at now: Instant) -> SnapshotReading {
        do throws(Failure) {
            let snapshot = try bytes(of: .snapshot)
            if let key { return SnapshotReading(snapshot, publicKey: key, at: now) }
            guard let line = try bytes(of: .key) else { return .refused(.missing) }
            let digits = String(decoding: line.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            return SnapshotReading(snapshot, publicKey: Hex.decode(digits) ?? [], at: now)
        } catch {
            return .refused(.missing)
        }
    }
}
