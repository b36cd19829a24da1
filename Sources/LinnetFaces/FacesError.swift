/// The reason for which a snapshot was not believed, or a face not drawn.
public enum FacesError: Error, Equatable, Sendable {
    /// There is no snapshot; the app writes one with `linnet widget publish`.
    case missing
    /// The bytes are no snapshot, or only a part of one.
    case malformed
    /// A newer app wrote the snapshot; update the widget.
    case unknownVersion(UInt64)
    /// Another device than the expected one signed the snapshot.
    case wrongSigner
    /// The bytes were changed after they were signed.
    case badSignature
    /// The snapshot was made for a time that has passed; the app must write a new one.
    case expired
    /// The snapshot says that it was made later than now; one of the clocks is wrong.
    case fromTheFuture
    /// The facts do not fit into a snapshot.
    case tooLarge
}
