import Foundation
import LinnetCRDT
import LinnetCrypto
import LinnetFaces
import LinnetMedication
import LinnetWire
import Testing

/// Faces on a device that does not hold all months of the log.
struct FaceCoverageTests {
    private let zone: ZoneRules
    private let now: Instant

    init() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.appending(path: "LinnetMedicationTests/Zones/Europe/Berlin")
        zone = try ZoneRules(name: "Europe/Berlin", file: Array(try Data(contentsOf: file)))
        now = try #require(Instant("2026-11-04T12:00:00Z"))
    }

    /// One dose a day, taken on every day of November so far.
    private func book(_ coverage: LogCoverage) throws -> MedicationBook {
        let id = try #require(RecordID("m"))
        var records = [
            RecordView(
                collection: Schema.medication.id, id: id,
                fields: [FieldValues(1, [.text("Medicine")])]),
            RecordView(
                collection: Schema.schedule.id, id: id,
                fields: [
                    FieldValues(1, [.text("m")]),
                    FieldValues(
                        2, [.text("08:00"), .null, .text("Europe/Berlin"), .null, .null, .null]),
                ]),
        ]
        for day in 1...4 {
            let due = try #require(Instant("2026-11-0\(day)T07:00:00Z"))
            records.append(
                DoseEvent(
                    id: try #require(RecordID("2026-11/\(day)")), medication: id, schedule: id,
                    scheduled: due, kind: .known(.taken), at: due, timeZone: "Europe/Berlin"
                ).record)
        }
        var book = MedicationBook(records)
        book.coverage = coverage
        return book
    }

    private func snapshot(_ book: MedicationBook) throws -> FaceSnapshot {
        try FaceSnapshot(
            of: book, asOf: now, frontier: "d", zone: zone, zones: ZoneTable([zone]))
    }

    private func adherence(_ snapshot: FaceSnapshot) throws -> AdherenceFace {
        guard case .adherence(let face) = FaceMaker(snapshot).entry(.adherence, at: now).content
        else { throw FacesError.missing }
        return face
    }

    private static let november = LogCoverage(only: [Month("2026-11")].compactMap { $0 })

    @Test func `what is not held is known since a day, and never missed`() throws {
        let snapshot = try snapshot(try book(Self.november))
        let face = try adherence(snapshot)
        // Without the month before, the first two days of November may lack an event.
        #expect(face.week == FaceProgress(taken: 2, total: 2))
        #expect(face.knownSince == "3 Nov")
        #expect(face.streakDays == 2 && !face.isStreakWhole)
        let all = try adherence(try self.snapshot(try book(.everything)))
        #expect(all.week == FaceProgress(taken: 4, total: 7) && all.knownSince == nil)
        #expect(all.streakDays == 4 && all.isStreakWhole)
        for family in [WidgetFamily.small, .medium] {
            let text = TextFace(.adherence(face), family, at: now).lines.joined(separator: "\n")
            #expect(text.contains("ince 3 Nov") && text.contains("At least 2 days"), "\(text)")
            #expect(!text.contains("No streak"))
            let picture = PictureFace(.adherence(face), family, .light, at: now).svg
            #expect(picture.contains(">Since 3 Nov<"))
            #expect(picture.contains(family == .small ? ">2+ days<" : ">At least 2 days<"))
        }
        let said = FaceDescription.of(.adherence(face), at: now)
        #expect(said.contains("since 3 Nov") && said.contains("At least 2 days"))
    }

    @Test func `a device that holds nothing of the log says of no dose what became of it`() throws {
        let book = try book(LogCoverage(only: []))
        let snapshot = try snapshot(book)
        var empty = book
        for id in ["1", "2", "3", "4"] {
            empty.remove(Schema.doseEvent.id, try #require(RecordID("2026-11/" + id)))
        }
        let entry = FaceMaker(try self.snapshot(empty)).entry(.phoneHome, at: now)
        guard case .phoneHome(let face) = entry.content else { throw FacesError.missing }
        #expect(face.today.map(\.standing) == [.unknown])
        #expect(face.next.today == nil && face.next.missed == 0 && face.next.unsettled == 1)
        #expect(face.week.week.percent == nil && !face.week.isStreakWhole)
        let text = TextFace(entry.content, .phone, at: now).lines.joined(separator: "\n")
        #expect(text.contains("not known") && !text.contains("missed") && !text.contains("0 %"))
        #expect(try adherence(snapshot).week.percent == nil)
        let small = TextFace(
            .adherence(try adherence(snapshot)), .small, at: now
        ).lines.joined(separator: "\n")
        #expect(small.contains("Not known here"), "\(small)")
    }

    @Test func `faces of a device that was never in step state nothing, and wait`() throws {
        var book = try book(LogCoverage(only: []))
        book.isInStep = false
        let snapshot = try snapshot(book)
        for kind in FaceKind.allCases {
            let entry = FaceMaker(snapshot).entry(kind, at: now)
            #expect(entry.content == .unknown(kind, .notInStep))
            for family in kind.families {
                let lines = TextFace(entry.content, family, at: now).lines
                let picture = PictureFace(entry.content, family, .light, at: now).svg
                for said in [lines.joined(separator: "\n"), picture] {
                    #expect(!said.contains("Medicine") && !said.contains("missed"), "\(said)")
                    #expect(!said.contains("No medications") && !said.contains("All done"))
                }
            }
            let said = FaceDescription.of(entry.content, at: now)
            #expect(said == "Not known. Waiting for the others.")
        }
        let key = SigningKey(seed: SecretBytes(copying: Array(0..<32)))
        let read = try FaceSnapshot(
            opening: try snapshot.sealed(by: key), publicKey: key.publicKey)
        #expect(!read.facts.isInStep)
        let id = try #require(RecordID("m"))
        book.apply(
            RecordView(
                collection: Schema.stock.id, id: id,
                fields: [FieldValues(1, [.decimal(try #require(Decimal64(parsing: "0")))])]))
        let zones = ZoneTable([zone])
        #expect(try book.stock(of: id, now: now, zones: zones) == nil)
        #expect(book.stockText(of: id) == "not known yet")
        #expect(try book.alerts(now: now, zone: zone, zones: zones).isEmpty)
        book.isInStep = true
        #expect(book.stockText(of: id) == "0")
    }

    @Test func `a snapshot keeps what is not known`() throws {
        let key = SigningKey(seed: SecretBytes(copying: Array(0..<32)))
        for coverage in [Self.november, LogCoverage(only: []), .everything] {
            let snapshot = try snapshot(try book(coverage))
            let bytes = try snapshot.sealed(by: key)
            #expect(try FaceSnapshot(opening: bytes, publicKey: key.publicKey) == snapshot)
        }
    }

    @Test func `zone data that is missing, and a stock below zero, are said as they are`() throws {
        var book = try book(.everything)
        let id = try #require(RecordID("m"))
        book.apply(
            RecordView(
                collection: Schema.stock.id, id: id,
                fields: [FieldValues(1, [.decimal(try #require(Decimal64(parsing: "-3")))])]))
        let low = try snapshot(book).facts.alerts.first { $0.kind == "lowStock" }
        #expect(low?.detail == "at least 3 missing from the count")
        let lost = try FaceSnapshot(
            of: book, asOf: now, frontier: "d", zone: zone, zones: ZoneTable())
        #expect(lost.facts.alerts.first?.kind == "missingZone")
        #expect(lost.facts.alerts.first?.detail == "cannot use zone Europe/Berlin")
    }
}
