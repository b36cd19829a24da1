import Linnet
import LinnetAPI
import LinnetControl
import LinnetFaces
import LinnetMedication
import LinnetSystem

/// The faces of the medicines as pictures.
enum FacePicture {
    /// Returns a face of the home as it is now.
    @concurrent
    static func answer(
        _ name: String, _ query: [HTTPRequest.Pair], of node: Node
    ) async -> HTTPAnswer {
        guard let (kind, family) = face(name, query) else {
            return .refusal(404, "path", "there is no face of this name")
        }
        do throws(ControlFailure) {
            let zone = try ZoneFiles.zone(named: value("zone", query) ?? ZoneFiles.current)
            let now = Instant(milliseconds: SystemClock.now().wallMilliseconds)
            let gateway = Gateway(ofServing: node, isUse: false)
            let snapshot = try await HomeFaces.snapshot(gateway, asOf: now, zone: zone)
            let entry = FaceMaker(snapshot).entry(kind, at: now)
            let appearance: FaceAppearance = value("dark", query) == "1" ? .dark : .light
            return .picture(PictureFace(entry.content, family, appearance, at: now).svg)
        } catch {
            return .failure(error)
        }
    }

    private static func value(_ name: String, _ query: [HTTPRequest.Pair]) -> String? {
        query.first { $0.name == name }.map(\.value)
    }

    private static func face(
        _ name: String, _ query: [HTTPRequest.Pair]
    ) -> (FaceKind, WidgetFamily)? {
        switch name {
        case "phone": return (.phoneHome, .phone)
        case "watch": return (.watchHome, .watch)
        default: break
        }
        let kinds: [FaceKind] = [.nextDose, .adherence]
        let word = value("kind", query) ?? FaceKind.nextDose.rawValue
        let parts = name.split(separator: "-", maxSplits: 1).map(String.init)
        let families: [String: [WidgetFamily]] = [
            "widget": [.small, .medium, .rectangular],
            "complication": [.circular, .rectangular, .corner, .inline],
        ]
        guard parts.count == 2, let kind = kinds.first(where: { $0.rawValue == word }),
            let family = families[parts[0]]?.first(where: { $0.rawValue == parts[1] }),
            kind.families.contains(family)
        else { return nil }
        return (kind, family)
    }
}
