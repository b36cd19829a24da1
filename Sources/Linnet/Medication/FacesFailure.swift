public import LinnetFaces
public import LinnetMedication

/// The reason why no snapshot for widgets was made.
public enum FacesFailure: Error, Equatable, Sendable {
    /// The records or the key of the home cannot be read.
    case home(LinnetError)
    /// The doses cannot be told, for instance since a zone is not known.
    case refused(MedicationError)
    /// The facts do not fit into a snapshot.
    case faces(FacesError)
}
