import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// A disk that changes rows, or puts older ones back.
@Suite struct DamagedRowTests {
    private let fleet = Fleet()

    private func home(_ count: Int = 6) throws -> Device {
        let device = try fleet.group(["a"])[0]
        for number in 0..<count {
            try device.set("record-\(number)", 1, .text("first \(number)"), at: fleet.now)
        }
        return device
    }

    private func reopen(_ device: Device) throws {
        try device.open(at: fleet.now, witness: .intact(try #require(device.mark)))
        device.events = []
    }

    /// Closes the home, changes its rows and opens it again.
    private func tamper(_ device: Device, _ sql: String...) throws {
        try device.close()
        for sql in sql { try device.run(sql) }
        try reopen(device)
    }

    /// Puts the row of a record back as it was before `change`.
    private func putBack(
        _ device: Device, _ record: String, withMark: Bool = false, before change: () throws -> Void
    ) throws {
        try device.close()
        let sealed = try device.text("SELECT hex(sealed) FROM records \(Self.named(record))")
        let marks = try device.text("SELECT hex(marks) FROM marks WHERE number = 0")
        try reopen(device)
        try change()
        try device.close()
        try device.run("UPDATE records SET sealed = x'\(sealed)' \(Self.named(record))")
        if withMark { try device.run("UPDATE marks SET marks = x'\(marks)' WHERE number = 0") }
        try reopen(device)
    }

    private static func named(_ record: String) -> String {
        "WHERE collection = \(Device.medication) AND id = CAST('\(record)' AS BLOB)"
    }

    /// Every deadline until nothing is due, as an idle shell meets them.
    private func rest(_ devices: [Device]) throws {
        var rounds = 0
        while let due = devices.compactMap(\.nextDeadline).min(),
            due <= fleet.now.uptimeMilliseconds + 5_000
        {
            fleet.advance(max(0, due - fleet.now.uptimeMilliseconds))
            fleet.meetDeadlines(devices)
            rounds += 1
            try #require(rounds < 500)
        }
    }

    private func rebuilt(_ device: Device) -> [String] {
        device.events.compactMap {
            if case .warning(.rowRebuilt(let key)) = $0 { key.record.description } else { nil }
        }
    }

    private func check(_ device: Device, operations: Int = 50) throws -> DeepCheckReport {
        var last = 0.0
        for _ in 0..<10_000 {
            let step = try #require(
                try device.replica?.deepCheck(operations: operations, at: fleet.now))
            device.perform(step.effects)
            let share = Double(step.progress.done) / Double(step.progress.total)
            #expect(share >= last && share <= 1)
            last = share
            if let report = step.progress.report { return report }
        }
        throw Device.Closed()
    }

    @Test(arguments: ["zeroblob(60)", "zeroblob(0)", "substr(sealed, 1, length(sealed) - 1)"])
    func `a row that does not open is told from the log, and the others show`(_ rot: String) throws
    {
        let device = try home()
        let before = try device.digest()
        try tamper(device, "UPDATE records SET sealed = \(rot) \(Self.named("record-2"))")
        #expect(try device.count() == 6)
        #expect(try device.value("record-2", 1) == .text("first 2"))
        #expect(try device.digest() == before)
        #expect(rebuilt(device).isEmpty)
        try rest([device])
        #expect(rebuilt(device) == ["record-2"])
        // The row is whole again.
        try device.close()
        try reopen(device)
        #expect(try device.digest() == before)
        try rest([device])
        #expect(rebuilt(device).isEmpty)
    }

    @Test func `a row put back from an older copy of its page is noticed when it is read`() throws {
        let device = try home()
        try putBack(device, "record-3") {
            try device.set("record-3", 1, .text("second"), at: fleet.now)
        }
        #expect(try device.value("record-3", 1) == .text("second"))
        try rest([device])
        #expect(rebuilt(device) == ["record-3"])
        try device.close()
        try reopen(device)
        #expect(try device.value("record-3", 1) == .text("second"))
        #expect(try check(device).isClean)
    }

    @Test func `an idle step of the check reads its share of the log, and leaves the rest`() throws
    {
        let device = try fleet.group(["a"])[0]
        let shares = 3
        for _ in 0..<shares {
            // One batch each: a step ends with the batch that fills it.
            let writes = try (0..<Limits.checkedOperations).map { number -> Write in
                let id = try #require(RecordID("r\(number)"))
                return .set(
                    collection: Device.medication, record: id,
                    fields: [FieldWrite(1, .text("v"))])
            }
            try device.commit(writes, at: fleet.now)
        }
        guard let log = device.replica?.log else { throw Device.Closed() }
        try device.replica?.recordBook.beginDeepCheck(log)
        var steps = 0
        while device.replica?.recordBook.inspection.check != nil {
            let due = try #require(device.nextDeadline)
            fleet.advance(max(0, due - fleet.now.uptimeMilliseconds))
            let before = device.replica?.recordBook.inspection.check?.batchesRead ?? 0
            fleet.meetDeadlines([device])
            let read = (device.replica?.recordBook.inspection.check?.batchesRead ?? before) - before
            // Small batches of the founding stand before them.
            #expect(read <= 4)
            steps += 1
            try #require(steps < 1_000)
        }
        #expect(steps > shares)
    }

    @Test func `a change of a damaged row is merged with what the log says of it`() throws {
        let device = try home()
        try tamper(device, "UPDATE records SET sealed = zeroblob(60)")
        try device.set("record-4", 2, .text("tablet"), at: fleet.now)
        try device.close()
        try reopen(device)
        #expect(try device.value("record-4", 1) == .text("first 4"))
        #expect(try device.value("record-4", 2) == .text("tablet"))
        #expect(try device.count() == 6)
    }

    @Test func `closing writes damaged rows anew`() throws {
        let device = try home()
        try tamper(device, "UPDATE records SET version = 7 \(Self.named("record-1"))")
        #expect(try device.count() == 6)
        try device.close()
        #expect(try device.text("SELECT count(*) FROM records WHERE version <> 1") == "0")
        try reopen(device)
        #expect(try check(device).isClean)
    }

    @Test func `a look at every row finds nothing in a sound home, whatever is written meanwhile`()
        throws
    {
        let device = try home(40)
        try device.delete("record-5", at: fleet.now)
        try device.close()
        try reopen(device)
        var steps = 0
        while true {
            let step = try #require(try device.replica?.deepCheck(operations: 30, at: fleet.now))
            device.perform(step.effects)
            steps += 1
            if let report = step.progress.report {
                #expect(report.isClean, "\(report)")
                #expect(report.records >= 41)
                break
            }
            try device.set("record-\(steps % 60)", 2, .text("n \(steps)"), at: fleet.now)
        }
        #expect(steps > 4)
    }

    @Test func `a look at every row finds one that went back with its mark, and one that is gone`()
        throws
    {
        let device = try home()
        try putBack(device, "record-3", withMark: true) {
            try device.set("record-3", 1, .text("second"), at: fleet.now)
        }
        #expect(try device.value("record-3", 1) == .text("first 3"))
        try tamper(device, "DELETE FROM records \(Self.named("record-0"))")
        #expect(try !device.exists("record-0"))
        let report = try check(device)
        #expect(report.rebuilt.map(\.record.description) == ["record-0", "record-3"])
        #expect(try device.value("record-3", 1) == .text("second"))
        #expect(try device.value("record-0", 1) == .text("first 0"))
        try device.close()
        try reopen(device)
        #expect(try check(device).isClean)
        #expect(try device.count() == 6)
    }

    @Test func `numbers and pages that are wrong are put right by a look at every row`() throws {
        let device = try home()
        let (whole, root) = (try device.digest(), try device.replica?.reader.root())
        try device.delete("record-5", at: fleet.now)
        _ = try device.digest()
        try tamper(device, "UPDATE living SET count = 40 WHERE collection = \(Device.medication)")
        let counted = { try device.replica?.reader.liveCount(of: Device.medication) }
        #expect(try counted() == 40)
        let report = try check(device)
        #expect(report.miscounted == [Device.medication] && !report.isClean)
        #expect(report.rebuilt.isEmpty)
        #expect(try counted() == 5)
        #expect(try device.digest() != whole)
        #expect(try device.replica?.reader.root() != root)
        #expect(try check(device).isClean)
        // Bits of rows that lie about them.
        try tamper(device, "UPDATE marks SET marks = CAST(substr(marks, 1, 1024) AS BLOB)")
        #expect(try check(device).miscounted.contains(Device.medication))
        #expect(try check(device).isClean)
        #expect(try device.count() == 5)
        _ = try device.digest()
    }

    @Test func `a row of nobody is passed over, and a look at all finds whose it was`() throws {
        let device = try home()
        try device.close()
        let rows = "WHERE id = CAST('record-2' AS BLOB)"
        try device.run("UPDATE records SET id = x'ff' \(rows)")
        try reopen(device)
        #expect(try device.count() == 5)
        try rest([device])
        #expect(try device.count() == 6)
        #expect(rebuilt(device) == ["record-2"])
    }

    @Test func `a record is named of which changes are damaged, too`() throws {
        let device = try home()
        try device.set("record-1", 2, .text("tablet"), at: fleet.now)
        try tamper(
            device,
            "UPDATE batches SET nonce = zeroblob(24) WHERE key = (SELECT max(key) FROM batches)",
            "UPDATE records SET sealed = zeroblob(60) \(Self.named("record-1"))")
        #expect(try device.count() == 6)
        #expect(try device.value("record-1", 1) == .text("first 1"))
        try rest([device])
        #expect(rebuilt(device).isEmpty)
        #expect(
            device.events.contains {
                if case .warning(.rowIncomplete(let key)) = $0 {
                    key.record.description == "record-1"
                } else {
                    false
                }
            })
        // Neither the batch nor the row is left, and nobody else has it.
        #expect(
            device.events.contains {
                if case .warning(.batchesRestated(let report)) = $0 {
                    report == RestatingReport(lost: 1, saved: 0, silent: 1)
                } else {
                    false
                }
            })
        #expect(try check(device).isClean)
    }

    @Test func `an index finds a record by its new value after its row was made anew`() throws {
        let device = try home()
        try putBack(device, "record-3", withMark: true) {
            try device.set("record-3", 1, .text("zulu"), at: fleet.now)
        }
        _ = try check(device)
        try device.close()
        try reopen(device)
        let query = Query("medication", where: .test("name", .equal, .text("zulu")))
        #expect(try device.replica?.reader.records(matching: query).count == 1)
    }
}

extension Device {
    /// Changes the closed home's database as no program may.
    func run(_ sql: String) throws {
        try Connection.open(path: path, vfs: nil).execute(sql)
    }

    /// What a query of the closed home's database answers.
    func text(_ sql: String) throws -> String {
        let connection = try Connection.open(path: path, vfs: nil)
        let answer = try connection.prepare("SELECT CAST((\(sql)) AS TEXT)", place: "file").firstRow
        {
            (row) throws(StorageError) in try row.text(0)
        }
        return try #require(answer)
    }
}
