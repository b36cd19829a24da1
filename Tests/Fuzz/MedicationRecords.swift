import LinnetCRDT
import LinnetFaces
import LinnetMedication

/// Records of the medication collections with whatever another member wrote into them: the book
/// takes them all in, and everything that is asked of it is answered or refused.
func fuzz(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    if let timing = try? Timing(reading: text) {
        require((try? Timing(reading: timing.text)) == timing, "a timing reads back")
    }
    if let pattern = try? Pattern(reading: text) {
        require((try? Pattern(reading: pattern.text)) == pattern, "a pattern reads back")
    }
    if let shift = try? GradualShift(reading: text) {
        require((try? GradualShift(reading: shift.text)) == shift, "a shift reads back")
    }
    let given = records(in: input)
    guard !given.isEmpty, let zone else { return }
    ask(MedicationBook(given), zone)
    var other = MedicationBook()
    for record in given.reversed() { other.apply(record) }
    for record in given { other.bury(record) }
    for record in given { other.remove(record.collection, record.id) }
}

private let now = Instant(milliseconds: 1_795_255_200_000)
private let zone = try? ZoneRules(
    name: "Etc/Fuzz",
    file: Array("TZif1".utf8.dropLast()) + [0] + [UInt8](repeating: 0, count: 15)
        + [UInt8](repeating: 0, count: 19) + [1, 0, 0, 0, 4] + [0, 0, 0, 0, 0, 0]
        + Array("UTC\0".utf8))

private func ask(_ book: MedicationBook, _ zone: ZoneRules) {
    let zones = ZoneTable([zone])
    _ = try? book.today(now: now, zone: zone, zones: zones)
    _ = try? book.coming(now: now, zones: zones)
    _ = try? book.alerts(now: now, zone: zone, zones: zones)
    _ = try? book.reminders(now: now, zones: zones)
    _ = try? book.streak(now: now, zone: zone, zones: zones)
    let today = zone.local(at: now).day
    _ = try? book.adherence(
        over: today.advanced(byDays: -6)...today, now: now, zone: zone, zones: zones)
    for id in book.medications.keys { _ = try? book.stock(of: id, now: now, zones: zones) }
    _ = book.search("a mg")
    _ = try? FaceSnapshot(of: book, asOf: now, frontier: "", zone: zone, zones: zones)
}

/// Each record: its collection, its identifier, the number of its fields, and for each field its
/// number, the count of its values, and these as bytes with their length before them.
private func records(in input: [UInt8]) -> [RecordView] {
    var rest = input[...]
    var records: [RecordView] = []
    while rest.count > 3, records.count < 32 {
        let head = Array(rest.prefix(3))
        rest = rest.dropFirst(3)
        var fields: [FieldValues] = []
        for _ in 0..<(head[2] & 15) {
            guard let number = rest.popFirst(), let count = rest.popFirst() else { break }
            let values = (0..<(count & 7)).compactMap { _ in value(&rest) }
            fields.append(FieldValues(UInt32(number & 31), values))
        }
        guard let id = RecordID("r\(head[1] & 7)") else { continue }
        records.append(
            RecordView(collection: 1_000 + UInt32(head[0] % 6), id: id, fields: fields))
    }
    return records
}

private func value(_ rest: inout ArraySlice<UInt8>) -> Value? {
    guard let length = rest.popFirst() else { return nil }
    let bytes = Array(rest.prefix(Int(length)))
    rest = rest.dropFirst(Int(length))
    return try? Value.decode(bytes)
}

private func record(
    _ collection: UInt8, _ id: UInt8, _ fields: [(UInt8, [Value])]
) -> [UInt8] {
    [collection, id, UInt8(fields.count)]
        + fields.flatMap { number, values in
            [number, UInt8(values.count)]
                + values.flatMap { value -> [UInt8] in
                    let bytes = (try? value.encoded()) ?? [0xf6]
                    return [UInt8(bytes.count)] + bytes
                }
        }
}

func seeds() -> [[UInt8]] {
    let due = Value.instant(now.milliseconds - 3_600_000)
    let medication = record(0, 1, [(1, [.text("Metformin")]), (10, [.bool(true)])])
    let stock = record(1, 1, [(1, [.int(30)])])
    let timing: [Value] = [
        .text("08:00,20:00"), .int(0), .text("Etc/Fuzz"), .null, .instant(0), .null,
    ]
    let schedule = record(2, 2, [(1, [.text("r1")]), (2, timing), (3, [.bool(true)])])
    let event = record(
        3, 3,
        [
            (1, [.text("r1")]), (2, [.text("r2")]), (3, [due]), (4, [.text("taken")]), (5, [due]),
            (6, [.text("Etc/Fuzz")]), (10, [.bool(false)]), (12, [.int(1)]),
        ])
    let travel = record(
        4, 4, [(1, [.text("Etc/Fuzz")]), (2, [.text("Etc/Fuzz")]), (4, [due])])
    let adjustment = record(5, 5, [(1, [.text("r2")]), (2, [.text("keepHomeTime")]), (3, [due])])
    return [
        medication + stock + schedule + event, schedule + travel + adjustment + event,
        Array("times=08:00 morning,20:00;days=3;zone=Europe/Berlin".utf8),
        Array("every 36 h from 2026-11-21T08:00:00.000Z".utf8), Array("as needed".utf8),
    ]
}
