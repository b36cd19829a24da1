import LinnetReplication

/// The requests that reached the store behind a mailbox, those included that it refused or left
/// without an answer.
package struct CountedTraffic: Equatable, Sendable {
    /// The requests by what was asked.
    package private(set) var listings = 0, gets = 0, puts = 0, deletes = 0
    /// Bytes of the objects that were put.
    package private(set) var bytesPut = 0
    /// Bytes of the objects that the store gave.
    package private(set) var bytesGot = 0

    /// All requests.
    package var requests: Int { listings + gets + puts + deletes }

    /// Nothing was asked.
    package init() {}

    /// Reads what `numbers` gives; nil when there are not as many numbers.
    package init?(_ numbers: [Int]) {
        guard numbers.count == 6 else { return nil }
        (listings, gets, puts, deletes) = (numbers[0], numbers[1], numbers[2], numbers[3])
        (bytesPut, bytesGot) = (numbers[4], numbers[5])
    }

    /// Listings, gets, puts, deletes, bytes put, bytes got.
    package var numbers: [Int] { [listings, gets, puts, deletes, bytesPut, bytesGot] }

    /// Adds what another store was asked.
    package mutating func add(_ other: CountedTraffic) {
        listings += other.listings
        gets += other.gets
        puts += other.puts
        deletes += other.deletes
        bytesPut += other.bytesPut
        bytesGot += other.bytesGot
    }

    mutating func count(_ request: MailRequest, _ answer: MailAnswer?) {
        switch request {
        case .list: listings += 1
        case .get: gets += 1
        case .delete: deletes += 1
        case .put(let object):
            puts += 1
            bytesPut += object.bytes.count
        }
        if case .bytes(let bytes?) = answer { bytesGot += bytes.count }
    }
}

extension CountedTraffic {
    /// The members of a JSON object.
    package var json: String {
        let names = ["listings", "gets", "puts", "deletes", "bytesPut", "bytesGot"]
        return JSONLine.object(zip(names, numbers).map { ($0, .number(Int64($1))) })
    }

    /// Tells a person how much each device asked in a day.
    ///
    /// - Parameter milliseconds: the time of all devices together.
    package func text(over milliseconds: Int64) -> String {
        let daily = { (number: Int) in
            Int64(number) * 86_400_000 / max(1, milliseconds)
        }
        return "\(requests) requests; a device asks in a day \(daily(listings)) listings, "
            + "\(daily(gets)) gets, \(daily(puts)) puts, \(daily(deletes)) deletes, and moves "
            + "\(daily(bytesPut)) bytes there, \(daily(bytesGot)) back"
    }
}
