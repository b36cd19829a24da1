import Linnet
import LinnetAPI
import LinnetControl

/// Tells which devices hold a removal, as they say so.
enum RemovalReceipt {
    private static let usualSeconds: Int64 = 10
    private static let stepMilliseconds: Int64 = 100

    /// The time for which receipts are awaited, in milliseconds.
    static func patience(_ arguments: Arguments) throws(ControlFailure) -> Int64 {
        guard let text = arguments.value("wait") else { return usualSeconds * 1_000 }
        guard let seconds = Int64(text), (0...3_600).contains(seconds) else {
            throw .usage("--wait takes whole seconds, from 0 to 3600")
        }
        return seconds * 1_000
    }

    /// Writes a line for each connected device once it signed something that shows that it holds
    /// the removal; ends when all did, or when the time is over.
    static func tell(
        of plan: ControlRemovalPlan, from gateway: Gateway, within patience: Int64,
        _ output: Output
    ) async throws(ControlFailure) {
        let deadline = SystemClock.uptimeMilliseconds() + patience
        let absent = plan.unheard.map(\.id)
        var told: [String] = []
        while true {
            let removal = try await gateway.ask(RemovalsRequest()).last {
                $0.device == plan.device && $0.stands && $0.role.isEmpty
            }
            guard let removal else { return }
            for holder in removal.holders
            where holder.device.id != removal.by.id && !told.contains(holder.device.id) {
                guard let record = holder.record else { continue }
                told.append(holder.device.id)
                output.result(
                    ["heard": .text(holder.device.id), "record": .text(record)],
                    "\(RemovalText.label(holder.device)) holds it: it signed \(record.prefix(8)).")
            }
            let unsigned = removal.holders.filter { $0.record == nil }.map(\.device.id)
            let isAwaited = (removal.unheard.map(\.id) + unsigned).contains {
                !absent.contains($0)
            }
            guard isAwaited, SystemClock.uptimeMilliseconds() < deadline else { return }
            do {
                try await Task.sleep(for: .milliseconds(stepMilliseconds))
            } catch {
                return
            }
        }
    }
}
