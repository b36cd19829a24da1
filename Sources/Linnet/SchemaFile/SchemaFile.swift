import LinnetCRDT

/// The collections of an application in the form that a file declares in JSON and a home keeps.
package struct SchemaFile: Equatable, Sendable {
    /// A mistake in a file, and its place.
    package struct Failure: Error, Equatable, Sendable {
        /// The number of the line, from 1.
        package var line: Int
        /// The place as `collections[0].fields[2]`; empty for the file as a whole.
        package var place: String
        /// A sentence on the mistake and on what belongs there.
        package var message: String
    }

    /// A new field that is filled from an older one.
    package struct Copy: Equatable, Sendable {
        /// The number of the collection.
        package var collection: UInt32
        /// The number of the new field.
        package var field: UInt32
        /// The number of the older field.
        package var source: UInt32

        /// Joins the numbers.
        package init(collection: UInt32, field: UInt32, source: UInt32) {
            self.collection = collection
            self.field = field
            self.source = source
        }
    }

    /// The collections.
    package let schema: Schema
    /// The fields to fill, in the order of the collections.
    package let copies: [Copy]

    /// Takes over a schema that was made elsewhere.
    package init(_ schema: Schema, copies: [Copy] = []) {
        self.schema = schema
        self.copies = copies
    }

    /// Reads a file; throws at the first mistake.
    package init(reading bytes: [UInt8]) throws(Failure) {
        let json: JSON
        do throws(JSONReader.Failure) {
            json = try JSONReader.read(bytes)
        } catch {
            throw Failure(
                line: Self.line(of: error.offset, in: bytes), place: "", message: error.message)
        }
        do throws(SchemaNode.Problem) {
            self = try SchemaFileReader(SchemaNode(json)).file()
        } catch {
            let offset = JSONReader.offset(of: error.path, in: bytes) ?? 0
            throw Failure(
                line: Self.line(of: offset, in: bytes), place: error.place, message: error.message)
        }
    }

    private static func line(of offset: Int, in bytes: [UInt8]) -> Int {
        1 + bytes.prefix(offset).count { $0 == 0x0a }
    }
}

extension SchemaFile.Failure: CustomStringConvertible {
    /// The line, the place and the mistake, for a person.
    package var description: String {
        "line \(line)" + (place.isEmpty ? "" : ", \(TerminalText.neutral(place))") + ": \(message)"
    }
}
