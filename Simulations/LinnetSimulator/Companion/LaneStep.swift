import LinnetCompanion
import LinnetWire

/// Steps in the life of a phone (device 0) and its watch (device 1).
enum LaneStep: Sendable {
    /// Queue a user info.
    case userInfo(device: Int, Importance, wantsProcessed: Bool, bytes: Int)
    /// Queue a transfer for the watch face.
    case face
    /// Replace the context.
    case context(device: Int, Importance, bytes: Int)
    /// Send a message that wants a reply, or none.
    case message(device: Int, expectsReply: Bool)
    /// Queue a file.
    case file(device: Int, bytes: Int, wantsProcessed: Bool)
    /// Withdraw the newest transfer that is outstanding.
    case cancel(device: Int)
    /// Come into range or leave it.
    case range(isNear: Bool)
    /// The app is used, put away, or ended by the system.
    case app(device: Int, AppState)
    /// The process ends, at once or between the commit and the rest of its next input.
    case restart(device: Int, afterCommit: Bool)
    /// The device restarts; a phone is locked until somebody unlocks it.
    case reboot(device: Int, lockedFor: Int64)
    /// The complication is moved.
    case complication(ComplicationPlacement)
    /// Defects of the platform begin or end.
    case faults(PlatformFaults)

    /// The step in words, for a person.
    var sentence: String {
        switch self {
        case .userInfo(let device, let importance, let processed, let bytes):
            "\(device) queues a user info of \(bytes) bytes for \(importance)"
                + (processed ? ", to be processed" : "")
        case .face: "0 sends something to the watch face"
        case .context(let device, let importance, let bytes):
            "\(device) sets a context of \(bytes) bytes for \(importance)"
        case .message(let device, let expectsReply):
            "\(device) sends a message" + (expectsReply ? " and wants a reply" : "")
        case .file(let device, let bytes, _): "\(device) queues a file of \(bytes) bytes"
        case .cancel(let device): "\(device) cancels its newest transfer"
        case .range(let isNear): isNear ? "the watch comes near" : "the watch goes away"
        case .app(let device, let state): "the app of \(device) is \(state)"
        case .restart(let device, let afterCommit):
            "the process of \(device) ends" + (afterCommit ? " after its next commit" : "")
        case .reboot(let device, let locked): "\(device) restarts, locked for \(locked) ms"
        case .complication(let placement): "the complication is now: \(placement)"
        case .faults(let profile):
            "defects: "
                + PlatformFaults.named.filter { profile.contains($0.profile) }
                .map(\.name).joined(separator: ", ")
        }
    }
}
