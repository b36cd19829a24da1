import LinnetCompanion
public import LinnetFaces
public import LinnetMedication

/// The snapshot of the faces that a phone leaves in the context of its watch, from which the watch
/// draws faces until it holds the records itself.
public enum FaceContext {
    /// The name under which it stands in the context.
    public static let name = "linnet.faces"

    /// Reads the snapshot in a context that the phone sent, as of now. The lanes have proven who
    /// sent it.
    public static func reading(
        of context: CompanionDictionary, at now: Instant
    ) -> SnapshotReading {
        guard let (bytes, key) = parts(of: context) else { return .refused(.missing) }
        return SnapshotReading(bytes, publicKey: key, at: now)
    }

    /// Returns the snapshot in a context, however old it is; nil where there is none.
    static func snapshot(in context: CompanionDictionary) -> FaceSnapshot? {
        guard let (bytes, key) = parts(of: context) else { return nil }
        do throws(FacesError) {
            return try FaceSnapshot(opening: bytes, publicKey: key)
        } catch {
            // What cannot be read is replaced.
            return nil
        }
    }

    /// The form in which a snapshot stands in a context.
    static func value(of sealed: SealedSnapshot) -> CompanionValue {
        .dictionary(["snapshot": .data(sealed.bytes), "key": .data(sealed.publicKey)])
    }

    private static func parts(of context: CompanionDictionary) -> ([UInt8], [UInt8])? {
        guard case .dictionary(let parts)? = context[name],
            case .data(let bytes)? = parts["snapshot"], case .data(let key)? = parts["key"]
        else { return nil }
        return (bytes, key)
    }
}

extension Node {
    /// Puts a snapshot of the faces into the context of this phone's watch, beside what the app put
    /// there, unless the one that is there states the same; returns true when it was put there.
    ///
    /// Throws what ``CompanionSession/updateApplicationContext(_:)`` throws, as `deviceNotPaired`
    /// where there is no watch.
    @discardableResult
    public func pushFaces(
        _ sealed: SealedSnapshot
    ) throws(CompanionSessionError) -> Bool {
        let value = FaceContext.value(of: sealed)
        let present = lanes.map { $0.applicationContext.values } ?? [:]
        if let old = FaceContext.snapshot(in: present),
            let new = FaceContext.snapshot(in: [FaceContext.name: value]),
            old.statesTheSame(as: new)
        {
            return false
        }
        try laneInput(.addToContext(FaceContext.name, value.property, importance: .plan))
        return true
    }
}
