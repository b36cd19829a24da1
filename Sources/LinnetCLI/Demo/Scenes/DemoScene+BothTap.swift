import Linnet
import LinnetControl

extension DemoScene {
    /// One dose that is recorded on two devices, and different doses that are recorded on each.
    static let bothTap = DemoScene(
        name: "both-tap", title: "Phone and watch record the same dose while apart"
    ) { (day) throws(ControlFailure) in
        try day.pass(to: 12, 0, "noon")
        let words = "Phone and watch lose each other."
        try await day.apart([day.phone, day.watch], words) { () throws(ControlFailure) in
            try await day.med(day.phone, "take", "Ramipril")
            let first = try await day.med(day.watch, "take", "Ramipril").first ?? .null
            let second = try await day.med(day.watch, "take", "Ramipril").first ?? .null
            day.say("take", "Both record Ramipril; on the watch somebody taps twice.")
            day.claim(
                "the second tap changes nothing",
                first["changed"] == true && second["changed"] == false,
                ["first": first, "second": second])
            try await day.med(day.phone, "take", "Vitamin D")
            try await day.med(day.watch, "take", "Ibuprofen")
            day.say("take", "The phone records Vitamin D, the watch an Ibuprofen as needed.")
        }
        let doses = try await day.each { (device) throws(ControlFailure) in
            .array(try await day.doses("Ramipril", device))
        }
        let stocks = try await day.each { (device) throws(ControlFailure) in
            try await day.stock("Ramipril", device)
        }
        day.claim(
            "one dose, two witnesses, stock 29 on all three",
            doses.allSatisfy { dose in
                guard case .array(let doses) = dose, doses.count == 1 else { return false }
                return doses[0]["status"] == "taken" && doses[0]["witnesses"]?.line == "2"
            } && stocks.allSatisfy { $0 == "29" },
            ["doses": .array(doses), "stocks": .array(stocks)])
        let others = try await day.each { (device) throws(ControlFailure) in
            .array([
                try await day.stock("Vitamin D", device), try await day.stock("Ibuprofen", device),
            ])
        }
        day.claim(
            "different doses count as two, on all three",
            others.allSatisfy { $0 == .array(["59", "19"]) }, ["stocks": .array(others)])
    }
}
