import Linnet
import LinnetControl

extension DemoScene {
    /// One device takes a dose back while somebody taps another one, which knows of the dose.
    static let undoAgainstTap = DemoScene(
        name: "undo-against-tap", title: "The phone takes a dose back while the watch is tapped"
    ) { (day) throws(ControlFailure) in
        try day.pass(to: 12, 30, "after lunch")
        try await day.med(day.phone, "take", "Vitamin D", "--dose", "12:30")
        try await day.converge(day.devices, "The phone's Vitamin D is known on all three.")
        let words = "Phone and watch lose each other."
        try await day.apart([day.phone, day.watch], words) { () throws(ControlFailure) in
            let tap = try await day.med(day.watch, "take", "Vitamin D").first ?? .null
            let again = try await day.med(day.watch, "take", "Vitamin D").first ?? .null
            let undo = try await day.med(day.phone, "undo", "Vitamin D").first ?? .null
            day.say("undo", "The watch is tapped for the same dose; the phone takes it back.")
            day.claim(
                "the tap makes the watch a witness of the dose, and counts nothing twice",
                tap["changed"] == true && tap["stock"] == "59" && again["changed"] == false
                    && undo["dose"] == tap["dose"],
                ["tap": tap, "again": again, "undo": undo])
            try await day.showFaces()
        }
        let doses = try await day.each { (device) throws(ControlFailure) in
            .array(try await day.doses("Vitamin D", device))
        }
        let stocks = try await day.each { (device) throws(ControlFailure) in
            try await day.stock("Vitamin D", device)
        }
        day.claim(
            "the undo erases the tap that it did not see on none of the three: taken, one witness",
            doses.allSatisfy { dose in
                guard case .array(let doses) = dose, doses.count == 1 else { return false }
                return doses[0]["status"] == "taken" && doses[0]["witnesses"]?.line == "1"
            } && stocks.allSatisfy { $0 == "59" },
            ["doses": .array(doses), "stocks": .array(stocks)])
        try await day.med(day.laptop, "undo", "Vitamin D")
        try await day.converge(day.devices, "The laptop, which has seen all, takes it back.")
        let left = try await day.each { (device) throws(ControlFailure) in
            [
                "status": try await day.doses("Vitamin D", device).first?["status"] ?? .null,
                "stock": try await day.stock("Vitamin D", device),
            ]
        }
        day.claim(
            "once no witness is left the dose is not taken, and the stock is whole",
            left.allSatisfy { $0["status"] == "due" && $0["stock"] == "60" },
            ["left": .array(left)])
        try await day.med(day.phone, "take", "Vitamin D")
        day.say("take", "The phone records it after all.")
        try await day.converge(day.devices, "All three hold it.")
    }
}
