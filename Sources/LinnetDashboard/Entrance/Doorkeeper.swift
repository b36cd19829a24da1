import LinnetCrypto

/// Checks a request by its head alone, before anything is done for it.
///
/// A page of another address can make a browser ask here, also under a name that it maps to this
/// address, and with the cookie when only its port differs. It cannot choose these headers.
struct Doorkeeper: Sendable {
    /// The reason why a request is refused.
    struct Refusal: Error, Equatable, Sendable {
        let status: UInt32
        let code: String
        let message: String
        var remedy: String?

        init(_ status: UInt32, _ code: String, _ message: String, remedy: String? = nil) {
            self.status = status
            self.code = code
            self.message = message
            self.remedy = remedy
        }
    }

    let port: UInt16

    /// The only host under which the dashboard answers.
    var host: String { "127.0.0.1:\(port)" }
    /// The only origin of its pages.
    var origin: String { "http://\(host)" }
    /// The name of the session's cookie.
    var cookieName: String { "linnet-\(port)" }

    /// Returns the route of a request, or throws why it has none.
    func route(
        _ request: HTTPRequest, files: (String) -> Bool
    ) throws(Refusal) -> DashboardRoute {
        guard request.only("host") == host else {
            throw Refusal(
                403, "host", "this dashboard answers under http://\(host) alone",
                remedy: "Open that address. Through 'ssh -L' use the same port at both ends: "
                    + "ssh -L \(port):\(host) HOST")
        }
        let known = DashboardRoute.all(of: request.path, files: files)
        if known.isEmpty { throw Refusal(404, "path", "there is nothing under this path") }
        guard let found = known.first(where: { $0.method == request.method }) else {
            let methods = known.map(\.method).joined(separator: " or ")
            throw Refusal(405, "method", "this path takes \(methods) alone")
        }
        try check(request, found.route.access)
        return found.route
    }

    private func check(_ request: HTTPRequest, _ access: DashboardRoute.Access) throws(Refusal) {
        switch access {
        case .anybody, .bearer: return
        case .page: try checkSite(request, ["same-origin", "none"])
        case .part, .reading: try checkSite(request, ["same-origin"])
        case .entering, .writing:
            try checkSite(request, ["same-origin"])
            guard request.only("origin") == origin else {
                throw Refusal(
                    403, "origin", "this was asked by a page that is not the dashboard's")
            }
            guard request.only("content-type") == "application/json" else {
                throw Refusal(415, "type", "the body must be of the type application/json")
            }
            if let length = request.only("content-length").flatMap(UInt64.init),
                length > UInt64(HTTPExchange.bodyLimitBytes)
            {
                throw Refusal(413, "size", "the body is longer than 1 MiB")
            }
        }
    }

    private func checkSite(
        _ request: HTTPRequest, _ allowed: [String]
    ) throws(Refusal) {
        guard let site = request.only("sec-fetch-site"), allowed.contains(site) else {
            throw Refusal(
                403, "site",
                request.has("sec-fetch-site")
                    ? "this was asked from another place than the dashboard's own page"
                    : "the browser does not say from where this was asked",
                remedy: "'linnet dashboard --open' opens the page. A browser without "
                    + "Sec-Fetch-Site, and any program beside it, is refused; programs use "
                    + "'linnet api'.")
        }
    }

    /// Returns the value of the session's cookie; nil when it is not there exactly once.
    func cookie(_ request: HTTPRequest) -> String? {
        guard let header = request.only("cookie") else { return nil }
        let values = header.split(separator: ";").compactMap { part -> String? in
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return pair.count == 2 && pair[0] == cookieName ? String(pair[1]) : nil
        }
        return values.count == 1 ? values[0] : nil
    }

    /// Returns the header that gives a browser its session.
    func setCookie(_ secret: String) -> HTTPRequest.Pair {
        HTTPRequest.Pair(
            name: "Set-Cookie",
            value: "\(cookieName)=\(secret); HttpOnly; SameSite=Strict; Path=/")
    }
}
