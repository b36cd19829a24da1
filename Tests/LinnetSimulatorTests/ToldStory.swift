import Foundation
import Testing

@testable import LinnetSimulator

/// A story as a page reads it: its JSON, and the fleet that the changes of its items come to.
struct ToldStory {
    let members: [String: Any]
    let items: [[String: Any]]

    /// How devices stand at one place.
    struct Fleet: Equatable {
        var processes: [Int: String] = [:]
        var holdings: [Int: [Int: [Int]]] = [:]

        var devices: [Int] { processes.keys.sorted() }

        func batches(on device: Int) -> Int {
            (holdings[device] ?? [:]).values.reduce(0) { $0 + max(0, $1[1] - $1[0] + 1) }
        }
    }

    init(_ story: RecordedStory) throws {
        let json = story.json(program: "tests")
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
        members = try #require(object as? [String: Any])
        items = try #require(members["items"] as? [[String: Any]])
    }

    /// The devices of which an item changes something.
    func changes(of item: [String: Any], _ what: String) -> [Int] {
        (item["changes"] as? [[Any]] ?? []).filter { $0[0] as? String == what }
            .compactMap { $0[1] as? Int }
    }

    func fleet(before end: Int) -> Fleet {
        var fleet = Fleet()
        for change in items.prefix(end).flatMap({ $0["changes"] as? [[Any]] ?? [] }) {
            guard let device = change[1] as? Int else { continue }
            switch change[0] as? String {
            case "process": fleet.processes[device] = change[2] as? String
            case "holds":
                let numbers = change[2...].compactMap { $0 as? Int }
                let isHeld = numbers[2] >= numbers[1]
                fleet.holdings[device, default: [:]][numbers[0]] =
                    isHeld ? Array(numbers[1...]) : nil
            default: break
            }
        }
        return fleet
    }
}
