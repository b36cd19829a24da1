import LinnetWire

@testable import LinnetCRDT

/// Plaintexts of batches in a given form.
enum Plaintext {
    /// The padded plaintext and the body inside it, as it is before compression.
    static func make(
        _ body: BatchBody, _ form: BodyForm
    ) throws -> (plaintext: [UInt8], body: [UInt8]) {
        let (rows, columns) = (rows(body), columns(body))
        switch form {
        case .rows: return (wrap(rows, encoding: 0, deflated: false), rows)
        case .rowsDeflated: return (wrap(rows, encoding: 0, deflated: true), rows)
        case .columns: return (wrap(columns, encoding: 1, deflated: false), columns)
        case .columnsDeflated: return (wrap(columns, encoding: 1, deflated: true), columns)
        case .usual:
            let plaintext = try body.encodePlaintext()
            return (plaintext, plaintext[0].isMultiple(of: 2) ? rows : columns)
        }
    }

    /// Encoding, compression, length, body, zeros up to the length of Padmé.
    static func wrap(_ body: [UInt8], encoding: UInt8, deflated: Bool) -> [UInt8] {
        var plaintext = [encoding, deflated ? 1 : 0]
        BigEndian.append(UInt32(body.count), to: &plaintext)
        plaintext += deflated ? Deflate.compress(body) : body
        let padded = Padding.padme(plaintext.count)
        return plaintext + [UInt8](repeating: 0, count: padded - plaintext.count)
    }

    private static func rows(_ body: BatchBody) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(body.restates == nil ? 2 : 3)
        write(body.restates, to: &writer)
        body.attributes.write(to: &writer)
        writer.array(body.operations.count)
        for operation in body.operations { operation.write(to: &writer) }
        return writer.bytes
    }

    private static func write(_ restates: Restatement?, to writer: inout CBORWriter) {
        guard let restates else { return }
        writer.array(restates.origin == nil ? 3 : 5)
        if let origin = restates.origin {
            writer.bytes(origin.group)
            writer.bytes(origin.device)
        }
        writer.bytes(restates.incarnation)
        writer.unsigned(restates.seq)
        guard let indices = restates.indices else { return writer.null() }
        writer.array(indices.count)
        for index in indices { writer.unsigned(UInt64(index)) }
    }

    private static func columns(_ body: BatchBody) -> [UInt8] {
        var writer = CBORWriter()
        write(body.restates, to: &writer)
        body.attributes.write(to: &writer)
        var columns = ColumnWriter()
        columns.append(writer.bytes[...])
        OperationColumns.write(body.operations, to: &columns)
        return columns.bytes
    }
}
