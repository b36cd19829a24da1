import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl

/// A field that holds files, as commands name it.
enum FileField {
    /// Returns the field of a name; the failure says which fields hold files.
    static func named(_ name: String, in collection: Collection) throws(ControlFailure) -> Field {
        let column = try Column.named(name, in: collection)
        guard column.field.kind.form == .file else {
            let names = collection.fields.filter { $0.kind.form == .file }.map(\.name)
            throw .usage(
                "\(column.name) holds no files"
                    + (names.isEmpty ? "" : "; these do: \(names.joined(separator: ", "))"))
        }
        return column.field
    }

    /// Returns the media type that the end of a name stands for; empty for one that is not known.
    static func mediaType(of name: String) -> String {
        let end = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return types.first(where: { $0.end == end })?.type ?? ""
    }

    private static let types: [(end: String, type: String)] = [
        ("png", "image/png"), ("jpg", "image/jpeg"), ("jpeg", "image/jpeg"),
        ("gif", "image/gif"), ("webp", "image/webp"), ("svg", "image/svg+xml"),
        ("heic", "image/heic"), ("pdf", "application/pdf"), ("txt", "text/plain"),
        ("csv", "text/csv"), ("json", "application/json"), ("mp3", "audio/mpeg"),
        ("mp4", "video/mp4"), ("zip", "application/zip"),
    ]
}
