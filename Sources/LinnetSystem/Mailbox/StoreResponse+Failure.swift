extension StoreResponse {
    /// The most bytes of an answer of which nothing but an error is read.
    static let mostErrorBytes = 65_536

    /// True for a success.
    var isDone: Bool { (200...299).contains(status) }

    /// True where the store says that there is nothing under the name.
    var isAbsence: Bool { status == 404 || status == 410 }

    /// True where nothing is given under one name, which says nothing of any other: what is not
    /// there, lies elsewhere, may not be read, or is broken there. A store that gives nothing at
    /// all shows by its listings.
    var isOfOneObject: Bool {
        isAbsence || (status == 200 && isTooLong) || (300...399).contains(status)
            || [403, 405, 500, 502, 504].contains(status) || (status == 503 && retrySeconds == nil)
    }

    /// Returns the reason why a request failed.
    func failure(of verb: String) -> MailboxError {
        switch status {
        case 300...399: .redirected(status: status)
        case 401, 403: .unauthorised(status: status, code: StoreListing.errorCode(body))
        case 405, 501: .unsupported(verb: verb, status: status)
        case 413: .tooLarge
        case 423, 429, 503: .busy(seconds: retrySeconds)
        case 507: .full
        default: .unexpected(verb: verb, status: status)
        }
    }
}
