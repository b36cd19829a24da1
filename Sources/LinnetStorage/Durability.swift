/// The point at which a transaction survives a power cut.
package enum Durability: Sendable {
    /// Once `commit` returns.
    case full
    /// After a later full commit or `flush`; a crash of the process alone loses nothing.
    case relaxed
}
