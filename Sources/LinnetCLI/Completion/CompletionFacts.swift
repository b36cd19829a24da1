import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetMedication

/// The facts of a running node that can complete a word.
struct CompletionFacts {
    /// The most records of a collection that are read for one word, a page at a time, so that a
    /// node with many is not kept from its work.
    static let mostRecords = 5_000
    private static let pageRecords = 500

    private let gateway: Gateway

    init(_ gateway: Gateway) { self.gateway = gateway }

    func collections() async throws(ControlFailure) -> [String] {
        try await gateway.schemaFile().schema.collections.map(\.name)
    }

    /// Returns the collections, or the records of the one that is named before a slash.
    func records(beginningWith typed: String) async throws(ControlFailure) -> [String] {
        let parts = typed.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return try await collections().map { $0 + "/" } }
        let collection = String(parts[0])
        return try await views(of: collection, until: String(parts[1])).map {
            "\(collection)/\($0.id)"
        }
    }

    /// Returns the fields of the collection that a path names; with `areSet` as they stand before
    /// a value.
    func fields(
        of path: String, areSet: Bool
    ) async throws(ControlFailure) -> [String] {
        let name = path.prefix { $0 != "/" }
        let schema = try await gateway.schemaFile().schema
        guard let collection = schema.collections.first(where: { $0.name == name }) else {
            return []
        }
        return Column.all(of: collection).map { areSet ? $0.name + "=" : $0.name }
    }

    /// Returns the names of the devices; of those that have none, or share one, the beginning of
    /// the identifier.
    func devices() async throws(ControlFailure) -> [String] {
        let status = try await gateway.ask(StatusRequest())
        let members = status.members.map { ($0.name, $0.device.description) }
        let others = status.removals.map { ($0.device.name, $0.device.id.description) }
        let all = members + others
        return all.map { device in
            let isClear = !device.0.isEmpty && all.count { $0.0 == device.0 } == 1
            return isClear ? device.0 : String(device.1.prefix(8))
        }
    }

    func medicines() async throws(ControlFailure) -> [String] {
        try await views(of: Schema.medication.name, until: nil).map { Medication($0).name }
    }

    /// Returns the first records of a collection, in the order of identifiers, until that is past
    /// all which begin with `prefix`.
    private func views(
        of collection: String, until prefix: String?
    ) async throws(ControlFailure) -> [RecordView] {
        var found: [RecordView] = []
        var query = Query(collection, limit: Self.pageRecords)
        for _ in 0..<(Self.mostRecords / Self.pageRecords) {
            let page = try await gateway.ask(PageRequest(query))
            found += page.records
            guard let next = page.next, let last = page.records.last else { break }
            if let prefix, last.id.isPast(prefix) { break }
            query.after = next
        }
        return found
    }
}

extension RecordID {
    /// True when an identifier comes after all that begin with a text, in the order of bytes.
    fileprivate func isPast(_ prefix: String) -> Bool {
        let own = Array(utf8.prefix(prefix.utf8.count))
        return prefix.utf8.lexicographicallyPrecedes(own)
    }
}
