import LinnetWire

/// The desk of the calls that wait for other devices: those of `sync` and of
/// `exchangeCertificates`.
struct ExchangeDesk: Desk {
    enum Errand: Equatable {
        case synchronisation
        case certification
    }

    var synchronisation = Synchronisation()
    var certification = Certification()

    var nextDeadline: Int64? {
        [synchronisation.deadline, certification.deadline].compactMap(\.self).min()
    }

    /// Returns the kinds of calls that have waited too long; they end when the node says what they
    /// lacked.
    mutating func fire(at now: Moment) -> [Errand] {
        var due: [Errand] = []
        if let deadline = synchronisation.deadline, deadline <= now.uptimeMilliseconds {
            due.append(.synchronisation)
        }
        if let deadline = certification.deadline, deadline <= now.uptimeMilliseconds {
            due.append(.certification)
        }
        return due
    }

    /// Ends all calls.
    mutating func finish(_ error: LinnetError) {
        synchronisation.finish(error)
        certification.finish(.failure(error))
    }
}
