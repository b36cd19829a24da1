import LinnetDiscovery
import LinnetReplication

/// Asks this device's person about a newcomer.
public typealias Confirmation = @concurrent @Sendable (Newcomer) async -> Bool

/// The one pairing that a node can have under way.
struct PairingTask {
    enum Kind {
        /// This device shows a code.
        case offering
        /// This device dials the one that shows the code which was typed here.
        case typing(PairingSecret)
    }

    let kind: Kind
    let role: DeviceRole
    /// The scopes to which the newcomer is bound; nil for none.
    let scopes: DeviceScopes?
    let confirm: Confirmation
    /// The characters that the right screen shows; nil for any.
    var narrowing: String?
    /// The link of the pairing, once the secret is being proven on it.
    var link: LinkID?
    /// The name under which an offer is announced.
    var instance: InstanceName?
    /// The time at which the candidates found so far are looked at, in uptime milliseconds.
    var decision: Int64?
    /// The time at which the pairing ends at the latest, in uptime milliseconds; nil where the
    /// replica's own limits hold.
    var end: Int64?
    var wasExtended = false

    init(
        _ kind: Kind, role: DeviceRole, scopes: DeviceScopes? = nil, narrowing: String? = nil,
        confirm: @escaping Confirmation, end: Int64
    ) {
        self.kind = kind
        self.role = role
        self.scopes = scopes
        self.narrowing = narrowing
        self.confirm = confirm
        self.end = end
    }

    var nextDeadline: Int64? { [decision, end].compactMap(\.self).min() }

    var isOffer: Bool {
        if case .offering = kind { true } else { false }
    }
}
