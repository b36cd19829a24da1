import Linnet
import LinnetControl

extension DemoScene {
    /// A delete and an edit that did not know of each other.
    static let deleteApart = DemoScene(
        name: "delete-apart", title: "One device deletes what another one edits"
    ) { (day) throws(ControlFailure) in
        let words = "Phone and laptop lose each other."
        try await day.apart([day.phone, day.laptop], words) { () throws(ControlFailure) in
            try await day.med(day.laptop, "stop", "Ibuprofen")
            try await day.med(day.laptop, "delete", "Ibuprofen")
            try await day.med(day.phone, "edit", "Ibuprofen", "--instructions", "With water.")
            day.say("delete", "The laptop deletes Ibuprofen; the phone edits its instructions.")
        }
        let lists = try await day.each { (device) throws(ControlFailure) in
            .array(try await day.med(device, "list").map { $0["name"] ?? .null })
        }
        day.claim(
            "it is deleted on all three, and does not come back by itself",
            lists.allSatisfy { names in
                guard case .array(let names) = names else { return false }
                return !names.contains("Ibuprofen") && names.contains("Metformin")
            }, ["medicines": .array(lists)])
        let trash = try await day.phone.command(["trash", "medication"], day.tick)
        let edited = trash.first { $0["fields"]?["name"] == "Ibuprofen" }?["editedAfter"] ?? .null
        day.claim(
            "the trash says that it was edited after the delete",
            edited != .null && edited != .array([]), ["editedAfter": edited])
        try await day.med(day.watch, "restore", "Ibuprofen")
        day.say("restore", "The watch takes it out of the trash.")
        try await day.converge(day.devices, "All three hold it again.")
        let back = try await day.each { (device) throws(ControlFailure) in
            try await day.med(device, "show", "Ibuprofen").first ?? .null
        }
        day.claim(
            "the restore brings everything back, the edit and the stock too",
            back.allSatisfy {
                $0["instructions"] == "With water." && $0["isDeleted"] == false
                    && $0["stock"] == back[0]["stock"] && $0["stock"] != .null
            }, ["records": .array(back)])
    }
}
