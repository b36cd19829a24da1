/// The version of the library and its command.
public enum LinnetVersion {
    /// The version, as in the change log.
    public static let text = "0.1.0"
}
