import Linnet
import LinnetAPI
import LinnetControl
import LinnetWire

// The verbs, off the node's thread.
extension Dashboard {
    /// Carries a verb out and returns its answer, with the number of the last change before it.
    @concurrent
    nonisolated func carryOut(
        _ name: String, _ body: [UInt8], session: UInt64, sequence: UInt64
    ) async -> HTTPAnswer {
        do throws(ControlFailure) {
            let json: JSON
            do throws(JSONReader.Failure) {
                json = try JSONReader.read(body)
            } catch {
                throw ControlFailure(
                    .usage, "the body is no JSON: \(error.message), at byte \(error.offset)")
            }
            let members = try VerbMembers(json)
            let answer = try await own(name, members, session: session)
            if let answer { return .json(["ok": answer, "seq": .integer(sequence)]) }
            let verb = try Verb.named(name)
            let gateway = Gateway(ofServing: node, isUse: verb.isWrite)
            let made = try await verb.run(try Verb.Call(gateway, members))
            return .json(["ok": made, "seq": .integer(sequence)])
        } catch {
            return .failure(error)
        }
    }

    /// Carries out a verb that only the dashboard has; nil for any other.
    private nonisolated func own(
        _ name: String, _ members: VerbMembers, session: UInt64
    ) async throws(ControlFailure) -> JSON? {
        switch name {
        case "sessions": return await sessionList(for: session)
        case "session-end":
            let number = try members.whole("session", in: 0...UInt64.max, usual: 0)
            guard await end(session: number) else {
                throw ControlFailure(.failed, "there is no session \(number)")
            }
            return await sessionList(for: session)
        case "pairing": return await pairing.json
        case "pair":
            let text = try members.optionalText("role") ?? DeviceRole.admin.rawValue
            guard let role = DeviceRole(rawValue: text) else {
                throw ControlFailure(.usage, "'role' is one of admin, member, reader, relay")
            }
            let names = try members.optionalText("scopes")
            let scopes: DeviceScopes?
            do throws(LinnetError) {
                scopes = try DeviceScopes.read(names)
            } catch {
                throw ControlFailure(error)
            }
            return try await pairing.offer(role: role, scopes: scopes)
        case "pair-decide":
            return try await pairing.decide(try members.flag("accept", usual: nil))
        case "pair-cancel": return await pairing.cancel()
        default: return try await guest?.carryOut(name, members)
        }
    }

    private func sessionList(for own: UInt64) -> JSON {
        [
            "sessions": .array(
                sessions.all.map { session in
                    [
                        "session": .integer(session.number),
                        "openedMilliseconds": .integer(session.openedMilliseconds),
                        "usedMilliseconds": .integer(session.usedMilliseconds),
                        "agent": .text(session.agent), "self": .bool(session.number == own),
                    ]
                })
        ]
    }

    private func end(session number: UInt64) -> Bool {
        guard sessions.end(number) else { return false }
        opened?.live.end(session: number, reason: "the session was ended")
        noteState()
        return true
    }
}
