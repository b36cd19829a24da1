/// A time during which a zone's offset stays the same.
struct ZoneSpan: Equatable, Sendable {
    /// The first Unix second; `Int64.min` when there is none.
    let start: Int64
    /// The Unix second after the last; `Int64.max` when there is none.
    let end: Int64
    /// The type of local time that the wall clocks show in between.
    let type: LocalTimeType
}
