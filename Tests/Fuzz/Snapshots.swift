import LinnetCrypto
import LinnetFaces
import LinnetMedication
import LinnetWire

/// What lies in the directory that an app shares with its widgets: as it comes, and signed with the
/// key that the widget trusts, so that the signature does not keep the fuzzer out. What can be read
/// is drawn, as every face and at several times.
func fuzz(_ input: [UInt8]) {
    let now = Instant(milliseconds: 1_795_255_200_000)
    require(!isRead(SnapshotReading(input, publicKey: [], at: now)), "a key is asked for")
    let body = resealed(input)
    guard let snapshot = try? FaceSnapshot(opening: body, publicKey: key.publicKey) else { return }
    require((try? snapshot.sealed(by: key)) == body, "a snapshot has one form")
    for offset in [-90_000_000, 0, 30_000, 50_000_000] as [Int64] {
        let time = snapshot.asOf.advanced(byMilliseconds: offset)
        let reading = SnapshotReading(body, publicKey: key.publicKey, at: time)
        for kind in FaceKind.allCases { draw(FaceSource(kind, reading).entry(at: time), at: time) }
        let context = TimelineContext(family: .medium)
        _ = NextDoseProvider(reading).timeline(in: context, at: time)
        _ = AdherenceProvider(reading).timeline(in: context, at: time)
    }
}

private let key = SigningKey(seed: SecretBytes(zeroed: 32))

private func isRead(_ reading: SnapshotReading) -> Bool {
    if case .read = reading { true } else { false }
}

private func draw(_ entry: FaceEntry, at time: Instant) {
    for family in entry.content.kind.families {
        let face = TextFace(entry.content, family, at: time)
        require(!face.lines.contains { $0.contains("\u{1b}") }, "no control character is drawn")
        let picture = PictureFace(entry.content, family, at: time).svg
        require(!picture.contains("\u{1b}"), "no control character is drawn")
    }
}

/// The file around a body, signed.
private func resealed(_ body: [UInt8]) -> [UInt8] {
    var writer = CBORWriter()
    writer.array(5)
    writer.text("linnet-faces")
    writer.unsigned(FaceSnapshot.version)
    writer.bytes(key.publicKey)
    writer.bytes(body)
    writer.bytes(key.sign(.snapshot, key.publicKey + body))
    return writer.bytes
}

func seeds() -> [[UInt8]] {
    let now = Instant(milliseconds: 1_795_255_200_000)
    guard let file = try? FaceSample.snapshot(at: now).sealed(by: key) else { return [] }
    var reader = CBORReader(file)
    guard (try? reader.array()) != nil, (try? reader.text()) != nil,
        (try? reader.unsigned()) != nil, (try? reader.bytes()) != nil,
        let body = try? reader.bytes(max: FaceSnapshot.maximumBytes)
    else { return [] }
    return [file, body]
}
