/// The state of the app at one end, as its system sees it.
package enum AppState: UInt8, Equatable, Sendable, CaseIterable {
    /// No process.
    case notRunning
    /// A process that gets no time.
    case suspended
    /// Running in the background.
    case background
    /// On screen.
    case foreground
    /// Running in the background with high priority: a workout, or a complication's first timeline.
    case highPriority

    /// True when the app can take a callback.
    package var isRunning: Bool { self != .notRunning && self != .suspended }
}

/// The place of the app's complication.
package enum ComplicationPlacement: UInt8, Equatable, Sendable, CaseIterable {
    /// Nowhere, or on a face that is not active.
    case none
    /// In the Smart Stack alone.
    case smartStack
    /// On the active face.
    case activeFace
}

/// The progress of a session's activation.
package enum ActivationState: UInt8, Equatable, Sendable {
    /// Not activated, or deactivated since.
    case notActivated
    /// Between two watches: nothing new is sent, what arrived may still be handed over.
    case inactive
    /// Ready.
    case activated
}
