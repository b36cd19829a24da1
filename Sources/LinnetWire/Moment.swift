/// The time that the shell hands to every pure machine.
package struct Moment: Equatable, Sendable {
    /// Unix time in milliseconds; it may jump in both directions.
    package var wallMilliseconds: Int64
    /// Milliseconds of a monotonic clock that keeps counting across suspend.
    package var uptimeMilliseconds: Int64

    /// Joins the two clocks read at one instant.
    package init(wallMilliseconds: Int64, uptimeMilliseconds: Int64) {
        self.wallMilliseconds = wallMilliseconds
        self.uptimeMilliseconds = uptimeMilliseconds
    }
}
