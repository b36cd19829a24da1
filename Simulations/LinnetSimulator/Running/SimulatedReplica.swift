public import LinnetCRDT
import LinnetReplication
import LinnetWire

/// The contents of a simulated device that an application's own invariant may read.
public struct SimulatedReplica {
    private let known: Knowledge
    /// The number of the device.
    public let device: Int

    init(_ known: Knowledge, _ device: Int) {
        self.known = known
        self.device = device
    }

    /// The live records of a collection, in order of identifier: each with its fields by name.
    public func records(_ collection: Collection) -> [(id: RecordID, fields: [String: [Value]])] {
        let view = known.views[device]
        return view.records.values
            .filter { $0.collection == collection.id && $0.isLive }
            .sorted { $0.record < $1.record }
            .map { state in
                var fields: [String: [Value]] = [:]
                let shown = collection.view(of: state, showing: state.visibleContents)
                for values in shown.fields {
                    if let field = collection.field(id: values.field) {
                        fields[field.name] = values.values
                    }
                }
                return (state.record, fields)
            }
    }
}
