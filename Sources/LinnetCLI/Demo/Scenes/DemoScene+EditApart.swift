import Linnet
import LinnetAPI
import LinnetControl

extension DemoScene {
    /// Changes to one medicine that two devices make apart.
    static let editApart = DemoScene(
        name: "edit-apart", title: "Phone and laptop change one medicine while apart"
    ) { (day) throws(ControlFailure) in
        let words = "Phone and laptop lose each other."
        try await day.apart([day.phone, day.laptop], words) { () throws(ControlFailure) in
            try await day.med(day.phone, "edit", "Metformin", "--amount", "850")
            try await day.med(
                day.laptop, "edit", "Metformin", "--instructions", "With food.", "--tag", "diabetes"
            )
            day.say(
                "edit", "The phone changes the dosage, the laptop the instructions and the tags.")
        }
        let all = try await day.each { (device) throws(ControlFailure) in
            try await day.med(device, "show", "Metformin").first ?? .null
        }
        day.claim(
            "all three changes survive on all three",
            all.allSatisfy {
                $0["dosage"] == "850 mg" && $0["instructions"] == "With food."
                    && $0["tags"] == .array(["diabetes"])
            },
            [
                "dosages": .array(all.map { $0["dosage"] ?? .null }),
                "instructions": .array(all.map { $0["instructions"] ?? .null }),
                "tags": .array(all.map { $0["tags"] ?? .null }),
            ])
        try await dosageTwice(day)
    }

    private static func dosageTwice(_ day: DemoDay) async throws(ControlFailure) {
        let words = "Again they lose each other."
        try await day.apart([day.phone, day.laptop], words) { () throws(ControlFailure) in
            try await day.med(day.phone, "edit", "Metformin", "--amount", "1000", "--unit", "mg")
            try await day.med(day.laptop, "edit", "Metformin", "--amount", "1", "--unit", "g")
            day.say("edit", "Both change the dosage: to 1000 mg and to 1 g.")
        }
        let records = try await day.each { (device) throws(ControlFailure) in
            try await day.med(device, "show", "Metformin").first ?? .null
        }
        let dosages = records.map { $0["dosage"] ?? .null }
        day.claim(
            "one dosage wins everywhere, and amount and unit are never torn",
            dosages.allSatisfy { $0 == dosages[0] } && ["1000 mg", "1 g"].contains(dosages[0]),
            ["dosages": .array(dosages)])
        let id = records[0]["medication"]?.string ?? ""
        let why = try await day.watch.command(["why", "medication/\(id)", "dosage"], day.tick)
        guard case .array(let losers)? = why.first?["others"] else {
            throw .failed("'why' names no other value")
        }
        day.claim(
            "'why' names the value that lost, and who wrote it",
            losers.contains { $0["value"] != why.first?["value"] && $0["device"] != nil },
            ["why": why.first ?? .null])
    }
}
