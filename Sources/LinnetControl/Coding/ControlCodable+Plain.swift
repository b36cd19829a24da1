package import LinnetCRDT
package import LinnetWire

// Requests and answers are made of these values in the end.

extension UInt64: ControlCodable {
    package func write(to writer: inout CBORWriter) { writer.unsigned(self) }

    package static func read(from reader: inout CBORReader) throws(WireError) -> UInt64 {
        try reader.unsigned()
    }
}

extension Int64: ControlCodable {
    package func write(to writer: inout CBORWriter) { writer.signed(self) }

    package static func read(from reader: inout CBORReader) throws(WireError) -> Int64 {
        try reader.signed()
    }
}

extension ControlCodable where Self: FixedWidthInteger {
    /// Appends the number; one below zero, which nobody sends, as zero.
    package func write(to writer: inout CBORWriter) { writer.unsigned(UInt64(clamping: self)) }

    /// Takes a number that fits.
    package static func read(from reader: inout CBORReader) throws(WireError) -> Self {
        guard let number = Self(exactly: try reader.unsigned()) else { throw .tooLarge }
        return number
    }
}

extension UInt32: ControlCodable {}
extension UInt16: ControlCodable {}
extension Int: ControlCodable {}

extension UInt8: ControlCodable {
    package static func write(_ values: [UInt8], to writer: inout CBORWriter) {
        writer.bytes(values)
    }

    package static func readAll(from reader: inout CBORReader) throws(WireError) -> [UInt8] {
        try reader.bytes(max: .max)
    }
}

extension FieldIndex: ControlCodable {}

extension Bool: ControlCodable {
    package func write(to writer: inout CBORWriter) { writer.bool(self) }

    package static func read(from reader: inout CBORReader) throws(WireError) -> Bool {
        try reader.bool()
    }
}

extension String: ControlCodable {
    package func write(to writer: inout CBORWriter) { writer.text(self) }

    package static func read(from reader: inout CBORReader) throws(WireError) -> String {
        try reader.text(max: .max)
    }
}

extension Array: ControlCodable where Element: ControlCodable {
    package func write(to writer: inout CBORWriter) { Element.write(self, to: &writer) }

    package static func read(from reader: inout CBORReader) throws(WireError) -> [Element] {
        try Element.readAll(from: &reader)
    }
}

extension Optional: ControlCodable where Wrapped: ControlCodable {
    package func write(to writer: inout CBORWriter) {
        if let self { self.write(to: &writer) } else { writer.null() }
    }

    package static func read(from reader: inout CBORReader) throws(WireError) -> Wrapped? {
        guard try reader.peek() == .null else { return try Wrapped.read(from: &reader) }
        try reader.null()
        return nil
    }
}

extension ControlCodable where Self: RawRepresentable, RawValue: ControlCodable {
    /// Appends the raw value.
    package func write(to writer: inout CBORWriter) { rawValue.write(to: &writer) }

    /// Takes a raw value that there is.
    package static func read(from reader: inout CBORReader) throws(WireError) -> Self {
        guard let value = Self(rawValue: try RawValue.read(from: &reader)) else {
            throw .unexpectedType
        }
        return value
    }
}

extension Bytes8: ControlCodable {
    package func write(to writer: inout CBORWriter) { writer.bytes(self) }

    package static func read(from reader: inout CBORReader) throws(WireError) -> Bytes8 {
        try reader.bytes8()
    }
}

extension Bytes16: ControlCodable {
    package func write(to writer: inout CBORWriter) { writer.bytes(self) }

    package static func read(from reader: inout CBORReader) throws(WireError) -> Bytes16 {
        try reader.bytes16()
    }
}

extension Bytes32: ControlCodable {
    package func write(to writer: inout CBORWriter) { writer.bytes(self) }

    package static func read(from reader: inout CBORReader) throws(WireError) -> Bytes32 {
        try reader.bytes32()
    }
}

extension RecordID: ControlCodable {
    package func write(to writer: inout CBORWriter) { writer.text(description) }

    package static func read(from reader: inout CBORReader) throws(WireError) -> RecordID {
        guard let id = RecordID(try reader.text(max: .max)) else { throw .badText }
        return id
    }
}

extension Value: ControlCodable {
    package func write(to writer: inout CBORWriter) { writer.whole(self) }

    package static func read(from reader: inout CBORReader) throws(WireError) -> Value {
        try reader.whole()
    }
}
