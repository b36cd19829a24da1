import Linnet
import LinnetAPI
import LinnetControl
import LinnetMedication

extension DemoScene {
    /// A new dosage from now on, which leaves the doses of the past as they were.
    static let dosageChanged = DemoScene(
        name: "dosage-changed", title: "A dosage changes, and the past stays what it was"
    ) { (day) throws(ControlFailure) in
        try day.pass(to: 12, 0, "noon")
        try await day.med(day.laptop, "take", "Ramipril")
        try await day.converge(day.devices, "Today's Ramipril is recorded: 5 mg.")
        try await day.med(day.phone, "edit", "Ramipril", "--amount", "10")
        day.say("edit", "From now on it is 10 mg: the phone changes the dosage.")
        try await day.converge(day.devices, "All three know.")
        let records = try await day.each { (device) throws(ControlFailure) in
            try await day.med(device, "show", "Ramipril").first?["dosage"] ?? .null
        }
        let doses = try await day.each { (device) throws(ControlFailure) in
            .array(try await day.doses("Ramipril", device).map { $0["dosage"] ?? .null })
        }
        day.claim(
            "the dose that was taken stays 5 mg on all three, the medicine is 10 mg",
            records.allSatisfy { $0 == "10 mg" } && doses.allSatisfy { $0 == .array(["5 mg"]) },
            ["medicine": .array(records), "taken": .array(doses)])
        let histories = try await day.each { (device) throws(ControlFailure) in
            .array(
                try await day.med(device, "history", "Ramipril").map {
                    [
                        "dosage": $0["dosage"] ?? .null,
                        "asRecorded": $0["asRecorded"] ?? .null,
                    ]
                })
        }
        day.claim(
            "every entry of the history says 5 mg, in the words of its moment",
            histories.allSatisfy { history in
                guard case .array(let events) = history else { return false }
                return !events.isEmpty
                    && events.allSatisfy { $0["dosage"] == "5 mg" && $0["asRecorded"] == true }
            }, ["histories": .array(histories)])
        let rows = try await day.each { (device) throws(ControlFailure) in
            .array(try await report(day, device).map(JSON.text))
        }
        day.claim(
            "a report made now says 5 mg of it, as recorded",
            rows.allSatisfy { rows in
                guard case .array(let rows) = rows, rows.count == 1 else { return false }
                let row = rows[0].string ?? ""
                return row.contains("\"5 mg\",\"taken\"") && row.hasSuffix("\"as recorded\"")
            }, ["rows": .array(rows)])
    }

    /// Returns the lines about Ramipril in a table for a doctor.
    private static func report(
        _ day: DemoDay, _ device: DemoDevice
    ) async throws(ControlFailure) -> [String] {
        let path = "\(device.home).report.csv"
        try await day.med(device, "report", "--output", path)
        let bytes = try FileText.read(path)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
            .filter { $0.contains("Ramipril") }
    }
}
