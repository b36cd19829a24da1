import Foundation
import LinnetCRDT
import LinnetCrypto
import LinnetSimulator
import LinnetStorage
import LinnetWire
import Testing

/// A model store and a SQLite store in a folder of its own, which must answer everything alike.
final class StorePair {
    let model = ModelStore()
    private let folder: URL
    /// Nil only while it is opened anew.
    private var opened: SQLiteStore?
    private var openings: UInt8 = 0
    /// Every refusal met so far, once each.
    private(set) var refusals: [StorageError] = []

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "linnet-simulator-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        opened = try Self.open(folder, prefix: 0)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func open(_ folder: URL, prefix: UInt8) throws -> SQLiteStore {
        try SQLiteStore(
            path: folder.appending(path: "store.sqlite").path,
            databaseKey: SecretBytes(copying: Array(repeating: 1, count: 32)),
            noncePrefix: Array(repeating: prefix, count: 16))
    }

    private func real() throws -> SQLiteStore { try #require(opened) }

    /// Gives both the same call and compares what comes of it.
    @discardableResult
    func agree<Answer: Equatable>(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ call: (any Store) throws(StorageError) -> Answer
    ) throws -> Result<Answer, StorageError> {
        let real = try real()
        let expected = outcome(of: call, on: real)
        let found = outcome(of: call, on: model)
        #expect(found == expected, sourceLocation: sourceLocation)
        #expect(model.isUnflushed == real.isUnflushed, sourceLocation: sourceLocation)
        #expect(model.isInTransaction == real.isInTransaction, sourceLocation: sourceLocation)
        #expect(model.pendingTotals == real.pendingTotals, sourceLocation: sourceLocation)
        if case .failure(let error) = expected, !refusals.contains(error) { refusals.append(error) }
        return expected
    }

    /// Gives both a call without an answer.
    func perform(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ call: (any Store) throws(StorageError) -> Void
    ) throws {
        try agree(sourceLocation: sourceLocation) { (store) throws(StorageError) in
            try call(store)
            return true
        }
    }

    private func outcome<Answer>(
        of call: (any Store) throws(StorageError) -> Answer, on store: any Store
    ) -> Result<Answer, StorageError> {
        do throws(StorageError) {
            return .success(try call(store))
        } catch {
            return .failure(error)
        }
    }

    /// Opens both anew, after closing them in good order or in the middle of anything.
    func reopen(closing: Bool) throws {
        if closing {
            try real().close()
            try model.close()
        }
        // Nonces may repeat here: nobody reads the file.
        openings &+= 1
        // The first one has to let go of the file.
        opened = nil
        opened = try Self.open(folder, prefix: openings)
        model.reopen()
    }
}
