import Synchronization

/// A sign to a thread that what it waits for is not wanted any more.
package final class StopFlag: Sendable {
    private let raised = Atomic<Bool>(false)

    /// Begins lowered.
    package init() {}

    /// True once it was raised.
    package var isRaised: Bool { raised.load(ordering: .acquiring) }

    /// Raises it for good.
    package func raise() { raised.store(true, ordering: .releasing) }
}
