import Linnet
import LinnetAPI
import LinnetControl
import LinnetCrypto
import LinnetFaces
import LinnetMedication

/// Measures faces: making their content, drawing it, and sealing and opening a snapshot.
enum FaceBench {
    static func run(count: Int) throws(ControlFailure) -> Figures {
        let now = Instant(milliseconds: 1_795_258_800_000)
        let snapshot = FaceSample.snapshot(at: now)
        let maker = FaceMaker(snapshot)
        var figures = Figures(name: "faces")
        for kind in FaceKind.allCases {
            for family in kind.families {
                var text: [Double] = []
                var picture: [Double] = []
                for _ in 0..<count {
                    let began = ContinuousClock.now
                    let content = maker.entry(kind, at: now).content
                    _ = TextFace(content, family, at: now).lines
                    let middle = ContinuousClock.now
                    let again = maker.entry(kind, at: now).content
                    _ = PictureFace(again, family, at: now).svg
                    text.append((middle - began).microseconds)
                    picture.append((ContinuousClock.now - middle).microseconds)
                }
                let name = "\(kind.rawValue) \(family.rawValue)"
                figures.add("\(name) text p50 µs", Figures.percentile(0.5, of: text))
                figures.add("\(name) svg p50 µs", Figures.percentile(0.5, of: picture))
                figures.add("\(name) svg p99 µs", Figures.percentile(0.99, of: picture))
            }
        }
        try addSnapshot(snapshot, at: now, count, &figures)
        return figures
    }

    private static func addSnapshot(
        _ snapshot: FaceSnapshot, at now: Instant, _ count: Int, _ figures: inout Figures
    ) throws(ControlFailure) {
        let key = SigningKey(seed: SystemEntropy.seed())
        var sealing: [Double] = []
        var opening: [Double] = []
        var timeline: [Double] = []
        for _ in 0..<count {
            let began = ContinuousClock.now
            let bytes: [UInt8]
            do throws(FacesError) {
                bytes = try snapshot.sealed(by: key)
            } catch {
                throw .failed("the snapshot cannot be sealed: \(error)")
            }
            let sealed = ContinuousClock.now
            let reading = SnapshotReading(bytes, publicKey: key.publicKey, at: now)
            let opened = ContinuousClock.now
            _ = NextDoseProvider(reading).timeline(in: TimelineContext(family: .small), at: now)
            sealing.append((sealed - began).microseconds)
            opening.append((opened - sealed).microseconds)
            timeline.append((ContinuousClock.now - opened).microseconds)
        }
        figures.add("snapshot seal p50 µs", Figures.percentile(0.5, of: sealing))
        figures.add("snapshot open p50 µs", Figures.percentile(0.5, of: opening))
        figures.add("timeline p50 µs", Figures.percentile(0.5, of: timeline))
    }
}
