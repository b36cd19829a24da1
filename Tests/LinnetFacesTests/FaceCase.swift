import LinnetFaces
import LinnetMedication
import Testing

/// A situation in which every face is drawn.
struct FaceCase: CustomTestStringConvertible {
    let name: String
    let reading: SnapshotReading
    var now = Self.noon

    var testDescription: String { name }

    /// 2026-11-21 12:00 in Berlin.
    static let noon = at(hour: 12)

    static let berlin = FaceZone(
        name: "Europe/Berlin",
        spans: [
            FaceZone.Span(from: at(hour: -2_000), offsetSeconds: 3_600, abbreviation: "CET")
        ])

    /// An hour of 2026-11-21 in Berlin, which is a Saturday.
    static func at(hour: Int64, minute: Int64 = 0) -> Instant {
        Instant(milliseconds: 1_795_215_600_000 + (hour * 60 + minute) * 60_000)
    }

    static func dose(
        _ name: String, _ hour: Int64, _ standing: FaceDose.Standing = .open,
        dosage: String = "500 mg", form: String = "tablet", minute: Int64 = 0
    ) -> FaceDose {
        FaceDose(
            id: "\(name)-\(hour)", name: name, dosage: dosage, form: form,
            time: at(hour: hour, minute: minute), label: "", standing: standing)
    }

    static func snapshot(
        _ doses: [FaceDose], asOf: Instant = noon, alerts: [FaceAlert] = [], history: Bool = true,
        days: [FaceDay]? = nil
    ) -> FaceSnapshot {
        var medications: [FaceMedication] = []
        for dose in doses where !medications.contains(where: { $0.name == dose.name }) {
            medications.append(
                FaceMedication(
                    name: dose.name, dosage: dose.dosage, form: dose.form))
        }
        let taken = doses.filter { $0.standing == .taken }.reversed()
        return FaceSnapshot(
            asOf: asOf, frontier: "5f2c0d", expires: asOf.advanced(byMilliseconds: 86_400_000),
            zone: berlin,
            facts: FaceFacts(
                doses: doses.sorted { $0.time < $1.time },
                days: days
                    ?? (doses.isEmpty
                        ? []
                        : (0..<7).map {
                            FaceDay(
                                day: 20_772 + $0, taken: $0 == 2 ? 1 : $0 == 6 ? 1 : 3,
                                due: $0 == 6 ? 1 : 3)
                        }),
                streakDays: doses.isEmpty ? 0 : 4, medications: medications, alerts: alerts,
                history: history
                    ? taken.map { FaceEvent(name: $0.name, event: "taken", time: $0.time) } : []))
    }

    static let usualDoses = [
        dose("Vitamin D", 8, .taken, dosage: "1", form: "capsule"),
        dose("Metformin", 14, dosage: "850 mg"),
        dose("Ramipril", 20, dosage: "5 mg"),
        dose("Metformin", 20, dosage: "850 mg"),
        dose("Vitamin D", 32, dosage: "1", form: "capsule"),
    ]

    /// Two doses a day of each of thirty medicines, of which those of the morning were taken.
    static let thirtyMedicines = snapshot(
        (1...30).flatMap { number in
            [
                dose("Medicine \(number)", 8, .taken),
                dose("Medicine \(number)", 13, minute: Int64(60 - number)),
            ]
        },
        alerts: (1...9).map {
            FaceAlert(kind: "lowStock", subject: "Medicine \($0)", detail: "\($0 + 1) days left")
        })

    static let usual = FaceCase(
        name: "usual",
        reading: .read(
            snapshot(
                usualDoses,
                alerts: [
                    FaceAlert(kind: "lowStock", subject: "Ramipril", detail: "4 doses left")
                ])))

    static let all = [
        usual,
        FaceCase(
            name: "due, and one missed",
            reading: .read(
                snapshot([
                    dose("Metformin", 8), dose("Ramipril", 11, minute: 55),
                    dose("Metformin", 20), dose("Ibuprofen", 10, .skipped),
                    dose("Vitamin D", 9, .late),
                ]))),
        FaceCase(
            name: "long names",
            reading: .read(
                snapshot(
                    [
                        dose(
                            "Hydrochlorothiazide-Triamterene Extended Release", 13,
                            dosage: "37.5 mg / 25 mg combination", form: "capsule"),
                        dose(
                            "Pneumonoultramicroscopicsilicovolcanoconiosis", 18,
                            dosage: "10 ml", form: "liquid"),
                    ],
                    alerts: [
                        FaceAlert(
                            kind: "expiring",
                            subject: "Hydrochlorothiazide-Triamterene Extended Release",
                            detail: "expires in 12 days")
                    ]))),
        FaceCase(
            name: "written from right to left",
            reading: .read(
                snapshot([
                    dose("باراسيتامول", 13, dosage: "٥٠٠ ملغ", form: "قرص"),
                    dose("אספירין", 18, dosage: "100 מ״ג", form: "טבליה"),
                ]))),
        FaceCase(
            name: "wide and combined characters",
            reading: .read(
                snapshot([
                    dose("对乙酰氨基酚缓释片", 13, dosage: "650毫克", form: "片"),
                    dose("Pare\u{301}sine 👨‍👩‍👧 forte", 18),
                ]))),
        FaceCase(name: "nothing planned", reading: .read(snapshot([dose("Metformin", 8, .taken)]))),
        FaceCase(name: "no medications", reading: .read(snapshot([]))),
        FaceCase(name: "thirty medicines", reading: .read(thirtyMedicines)),
        FaceCase(
            name: "an empty day",
            reading: .read(
                FaceSnapshot(
                    asOf: noon, frontier: "5f2c0d",
                    expires: noon.advanced(byMilliseconds: 86_400_000), zone: berlin,
                    facts: FaceFacts(
                        doses: [], days: [], streakDays: 0,
                        medications: [
                            FaceMedication(name: "Ibuprofen", dosage: "400 mg", form: "tablet")
                        ], alerts: [], history: [])))),
        FaceCase(
            name: "tomorrow, with nearly all taken",
            reading: .read(
                snapshot(
                    [dose("Metformin", 8, .taken), dose("Metformin retard", 32)],
                    days: (0..<7).map { FaceDay(day: 20_772 + $0, taken: 7, due: 7) }
                        .dropLast() + [FaceDay(day: 20_778, taken: 6, due: 8)]))),
        FaceCase(
            name: "an hour later", reading: usual.reading, now: at(hour: 13)),
        FaceCase(
            name: "stale", reading: usual.reading, now: at(hour: 19)),
        FaceCase(name: "no snapshot", reading: .refused(.missing)),
        FaceCase(name: "tampered with", reading: .refused(.badSignature)),
        FaceCase(name: "locked", reading: .locked),
    ]

    /// Every face in every size.
    static let faces = FaceKind.allCases.flatMap { kind in
        kind.families.map { FaceSize(kind: kind, family: $0) }
    }

    func content(_ kind: FaceKind) -> FaceContent {
        FaceSource(kind, reading).entry(at: now).content
    }

    func text(_ face: FaceSize) -> [String] {
        TextFace(content(face.kind), face.family, at: now).lines
    }

    func picture(_ face: FaceSize, _ appearance: FaceAppearance = .light) -> PictureFace {
        PictureFace(content(face.kind), face.family, appearance, at: now)
    }
}

struct FaceSize: CustomTestStringConvertible {
    let kind: FaceKind
    let family: WidgetFamily

    var testDescription: String { "\(kind.rawValue)-\(family.rawValue)" }
}
