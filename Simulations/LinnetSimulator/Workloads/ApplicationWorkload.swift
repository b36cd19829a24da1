import LinnetCRDT
import Synchronization

/// The writes of people as an application's own test says them.
final class ApplicationWorkload: Workload {
    typealias Operations = @Sendable (inout SeededRandom, inout SimulatedTransaction) -> Void

    let schemas: [Schema]
    private let schema: Schema
    private let operations: Operations
    private let firstProblem = Mutex<String?>(nil)

    init(schema: Schema, operations: @escaping Operations) {
        self.schema = schema
        schemas = [schema]
        self.operations = operations
    }

    /// The problem of the first transaction that cannot be written.
    var problem: String? { firstProblem.withLock { $0 } }

    func write(_ random: inout SeededRandom, size: WriteSize) -> SimulatedWrite {
        var transaction = SimulatedTransaction(schema)
        operations(&random, &transaction)
        if let problem = transaction.problem {
            firstProblem.withLock { $0 = $0 ?? problem }
        }
        return SimulatedWrite(writes: transaction.writes)
    }
}
