/// The end of one seed.
package struct Outcome: Sendable {
    /// The verdict.
    package enum Result: Equatable, Sendable {
        /// Every invariant held, and all devices ended the same.
        case ok
        /// An invariant broke.
        case invariant(Violation)
        /// The healed fleet did not converge; how it differs, and where.
        case liveness(String, [Int])

        /// Plays a run to its end, or to what it breaks on the way.
        init(of run: () throws -> Void) {
            do {
                try run()
                self = .ok
            } catch let violation as Violation {
                self = .invariant(violation)
            } catch let failure as LivenessFailure {
                self = .liveness(failure.message, failure.devices)
            } catch {
                self = .invariant(Violation(.noTraps, "\(error)"))
            }
        }
    }

    /// The scenario.
    package let scenario: String
    /// The seed.
    package let seed: UInt64
    /// True when libsodium itself was used.
    package let usesRealCrypto: Bool
    /// The fingerprint of everything that happened.
    package let traceHash: UInt64
    /// The number of events that were handled.
    package let events: Int
    /// Virtual time from the first action to the end.
    package let milliseconds: Int64
    /// Devices at the end, copies of homes included.
    package let devices: Int
    /// The rounds that the healed fleet needed.
    package let rounds: Int
    /// The verdict.
    package let result: Result
    /// The faults and states on the way.
    package let coverage: Coverage
    /// The requests to the store behind the mailbox; nil where there is none.
    package var mailTraffic: CountedTraffic?
    /// The last states of the replicas involved in a failure.
    package let states: [String]

    /// Thousandths of a year of the whole fleet.
    package var deviceYearThousandths: Int64 { milliseconds * 1_000 / (365 * 86_400_000) }

    /// The exit code: 0 fine, 2 an invariant broke, 3 liveness failed.
    package var exitCode: Int32 {
        switch result {
        case .ok: 0
        case .invariant: 2
        case .liveness: 3
        }
    }

    /// One line of JSON.
    package var json: String {
        var hash = String(traceHash, radix: 16)
        hash = String(repeating: "0", count: 16 - hash.count) + hash
        let (name, invariant): (String, JSONLine.Value) =
            switch result {
            case .ok: ("ok", .null)
            case .invariant(let violation): ("invariant", .text(violation.invariant.rawValue))
            case .liveness: ("liveness", .text(Invariant.convergence.rawValue))
            }
        let members: [(String, JSONLine.Value)] = [
            ("scenario", .text(scenario)), ("seed", .number(Int64(bitPattern: seed))),
            ("traceHash", .text(hash)), ("events", .number(Int64(events))),
            ("deviceYears", .thousandths(deviceYearThousandths)), ("result", .text(name)),
            ("invariant", invariant),
            ("crypto", .text(usesRealCrypto ? "libsodium" : "stand-in")),
        ]
        let message = shortComplaint.map { [("message", JSONLine.Value.text($0))] } ?? []
        let mail = mailTraffic.map { [("mailbox", JSONLine.Value.encoded($0.json))] } ?? []
        return JSONLine.object(members + mail + message)
    }

    /// The fault in a sentence; nil when there was none.
    package var complaint: String? {
        switch result {
        case .ok: nil
        case .invariant(let violation):
            "\(violation.invariant.rawValue) broke: \(violation.message). "
                + violation.invariant.sentence
        case .liveness(let message, _): "the healed fleet did not converge: \(message)"
        }
    }
}
