/// A path of the dashboard, and who may ask for it.
enum DashboardRoute: Equatable, Sendable {
    /// A file of the page, the same for everybody.
    case file(String)
    /// The inert page that takes the secret of a link.
    case open
    /// The exchange of a link's secret for a session.
    case enter
    /// The page itself.
    case shell
    /// The token and the name of the session.
    case session
    /// The events of the session.
    case events
    /// A verb.
    case verb(String)
    /// A face of the medicines.
    case face(String)
    /// The QR code of the pairing that is offered.
    case pairingPicture
    /// The doctor's report.
    case report
    /// The figures for Prometheus.
    case metrics

    /// The rule that a request of the route must keep.
    enum Access: Sendable {
        /// Anybody with the right host.
        case anybody
        /// This origin, or a person who types the address; a session.
        case page
        /// This origin.
        case part
        /// This origin; a session.
        case reading
        /// This origin, with JSON.
        case entering
        /// This origin, with JSON; a session and its token.
        case writing
        /// A program with the bearer token.
        case bearer
    }

    var access: Access {
        switch self {
        case .open: .anybody
        case .file: .part
        case .shell, .report: .page
        case .enter: .entering
        case .session, .events, .face, .pairingPicture: .reading
        case .verb: .writing
        case .metrics: .bearer
        }
    }

    /// True when a session must be there.
    var needsSession: Bool {
        switch access {
        case .page, .reading, .writing: true
        case .anybody, .part, .entering, .bearer: false
        }
    }

    /// The methods of a path and the route of each; empty for a path that there is not.
    static func all(of path: String, files: (String) -> Bool) -> [(
        method: String, route: DashboardRoute
    )] {
        switch path {
        case "/": return [("GET", .shell)]
        case "/open": return [("GET", .open), ("POST", .enter)]
        case "/session": return [("GET", .session)]
        case "/events": return [("GET", .events)]
        case "/report.html": return [("GET", .report)]
        case "/metrics": return [("GET", .metrics)]
        case "/pairing.svg": return [("GET", .pairingPicture)]
        default: break
        }
        if path.hasPrefix("/api/") { return [("POST", .verb(String(path.dropFirst(5))))] }
        if path.hasPrefix("/face/"), path.hasSuffix(".svg") {
            return [("GET", .face(String(path.dropFirst(6).dropLast(4))))]
        }
        let name = String(path.dropFirst())
        return path.hasPrefix("/") && !name.hasSuffix(".html") && files(name)
            ? [("GET", .file(name))] : []
    }
}
