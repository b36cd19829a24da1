/// The version of the library and its command.
public enum LinnetVersion {
    /// As in the change log.
    public static let text = "0.1.0"
}
