package import LinnetWire

/// A value that requests and answers are made of.
package protocol ControlCodable: Sendable {
    /// Appends the value's one item.
    func write(to writer: inout CBORWriter)
    /// Takes the value's one item.
    static func read(from reader: inout CBORReader) throws(WireError) -> Self
    /// Appends several values as one item.
    static func write(_ values: [Self], to writer: inout CBORWriter)
    /// Takes several values from one item.
    static func readAll(from reader: inout CBORReader) throws(WireError) -> [Self]
}

extension ControlCodable {
    /// Appends an array.
    package static func write(_ values: [Self], to writer: inout CBORWriter) {
        writer.array(values.count)
        for value in values { value.write(to: &writer) }
    }

    /// Takes an array.
    package static func readAll(from reader: inout CBORReader) throws(WireError) -> [Self] {
        let count = try reader.array(max: ControlCoding.itemLimit)
        var values: [Self] = []
        for _ in 0..<count { values.append(try read(from: &reader)) }
        return values
    }
}

/// The fields of a type in the order in which they travel, for both directions.
package struct ControlForm<Root> {
    fileprivate let count: Int
    fileprivate let write: (Root, inout CBORWriter) -> Void
    fileprivate let read: (inout CBORReader) throws(WireError) -> Root

    /// Joins what makes a value and where its parts are found in it.
    package init<each Part: ControlCodable>(
        _ make: @escaping (repeat each Part) -> Root, _ parts: repeat KeyPath<Root, each Part>
    ) {
        var count = 0
        for _ in repeat each parts { count += 1 }
        self.count = count
        write = { root, writer in repeat root[keyPath: each parts].write(to: &writer) }
        read = { (reader: inout CBORReader) throws(WireError) in
            make(repeat try (each Part).read(from: &reader))
        }
    }
}

/// A type that travels as its fields.
package protocol ControlStruct: ControlCodable {
    /// Its fields.
    static var form: ControlForm<Self> { get }
}

extension ControlStruct {
    /// Appends an array of the fields.
    package func write(to writer: inout CBORWriter) {
        let form = Self.form
        writer.array(form.count)
        form.write(self, &writer)
    }

    /// Takes an array of the fields.
    package static func read(from reader: inout CBORReader) throws(WireError) -> Self {
        let form = form
        try reader.array(exactly: form.count)
        return try form.read(&reader)
    }
}

/// The beginning of one of several forms: its number, and how many parts follow.
package struct ControlVariant {
    /// The number.
    package let number: UInt64
    fileprivate let count: Int
}

extension CBORWriter {
    /// Appends one of several forms: its number, then its parts.
    package mutating func variant<each Part: ControlCodable>(
        _ number: UInt64, _ parts: repeat each Part
    ) {
        var count = 1
        for _ in repeat each parts { count += 1 }
        array(count)
        unsigned(number)
        repeat (each parts).write(to: &self)
    }
}

extension CBORReader {
    /// Takes the number of one of several forms.
    package mutating func variant() throws(WireError) -> ControlVariant {
        let count = try array(max: ControlCoding.itemLimit)
        return ControlVariant(number: try unsigned(), count: count - 1)
    }

    /// Takes the parts of a form and makes a value of them.
    package mutating func parts<each Part: ControlCodable, Root>(
        of variant: ControlVariant, _ make: (repeat each Part) -> Root
    ) throws(WireError) -> Root {
        var count = 0
        for _ in repeat (each Part).self { count += 1 }
        try expect(count, of: variant)
        return make(repeat try (each Part).read(from: &self))
    }

    /// Returns `value` for a form without parts; throws when it has some.
    package func whole<Root>(_ variant: ControlVariant, _ value: Root) throws(WireError) -> Root {
        try expect(0, of: variant)
        return value
    }

    /// Throws unless a form has so many parts.
    func expect(_ count: Int, of variant: ControlVariant) throws(WireError) {
        guard count == variant.count else { throw .badLength }
    }
}
