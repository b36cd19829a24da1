/// The reason why a use case changed nothing.
public enum MedicationFailure<Place: Error>: Error {
    /// The domain refuses it; the error names the field and the rule.
    case refused(MedicationError)
    /// The records cannot be read or written.
    case repository(Place)
}

extension MedicationFailure: Equatable where Place: Equatable {}
