import LinnetWire

/// The sealed part of a batch: its attributes and its operations.
package struct BatchBody: Equatable, Sendable {
    private static let rowEncoding: UInt8 = 0
    private static let prefixBytes = 6

    private enum Compression: UInt8 {
        case none = 0
        case deflate = 1
    }

    /// What the batch says about itself.
    package var attributes: BatchAttributes
    /// The changes in order.
    package var operations: [Operation]

    /// Joins attributes and operations.
    package init(attributes: BatchAttributes, operations: [Operation]) {
        self.attributes = attributes
        self.operations = operations
    }

    /// The stamp of one of the operations; the ceiling if it would lie above it.
    package func stamp(of operation: Operation) -> Timestamp {
        attributes.baseStamp.advanced(by: operation.stampDelta) ?? .ceiling
    }

    /// The plaintext to seal: encoding, compression, length, body, zero bytes up to Padmé.
    ///
    /// Throws if the body breaks a limit or its plaintext exceeds `Limits.batchPlaintextBytes`.
    package func encodePlaintext() throws(CRDTError) -> [UInt8] {
        try validate()
        let body = encodedBody
        guard body.count <= Limits.batchBodyBytes, let length = UInt32(exactly: body.count) else {
            throw .batchTooLarge
        }
        let compressed = Deflate.compress(body)
        let isSmaller = compressed.count < body.count
        let compression: Compression = isSmaller ? .deflate : .none
        var plaintext = [BatchBody.rowEncoding, compression.rawValue]
        BigEndian.append(length, to: &plaintext)
        plaintext.append(contentsOf: isSmaller ? compressed : body)
        let padded = Padding.padme(plaintext.count)
        guard padded <= Limits.batchPlaintextBytes else { throw .batchTooLarge }
        plaintext.append(contentsOf: repeatElement(0, count: padded - plaintext.count))
        return plaintext
    }

    /// Reads a plaintext and checks everything but the payloads of its operations.
    package static func decode(plaintext: [UInt8]) throws(CRDTError) -> BatchBody {
        guard plaintext.count <= Limits.batchPlaintextBytes else { throw .batchTooLarge }
        guard plaintext.count >= prefixBytes else { throw .wire(.truncated) }
        guard plaintext[0] == rowEncoding, let compression = Compression(rawValue: plaintext[1])
        else { throw .unknownFormat }
        let length = plaintext[2..<prefixBytes].reduce(0) { $0 << 8 | Int($1) }
        guard length <= Limits.batchBodyBytes else { throw .batchTooLarge }
        let content = Array(plaintext[prefixBytes...])
        let (body, consumed): ([UInt8], Int)
        switch compression {
        case .none:
            guard length <= content.count else { throw .wire(.truncated) }
            (body, consumed) = (Array(content[..<length]), length)
        case .deflate:
            (body, consumed) = try wire { () throws(WireError) in
                try Deflate.decompress(content, exactly: length)
            }
        }
        guard plaintext.count == Padding.padme(prefixBytes + consumed),
            content[consumed...].allSatisfy({ $0 == 0 })
        else { throw .wire(.badPadding) }
        return try decode(body: body)
    }

    private var encodedBody: [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        attributes.write(to: &writer)
        writer.array(operations.count)
        for operation in operations {
            operation.write(to: &writer)
        }
        return writer.bytes
    }

    private static func decode(body: [UInt8]) throws(CRDTError) -> BatchBody {
        // The bytes bound the items: a batch may hold more than a message of another kind.
        var reader = CBORReader(body, maxItems: Limits.batchBodyBytes)
        try wire { () throws(WireError) in try reader.array(exactly: 2) }
        let attributes = try BatchAttributes(from: &reader)
        let count = try wire { () throws(WireError) in try reader.array() }
        guard count <= Limits.operationsPerBatch else { throw .batchTooLarge }
        var operations: [Operation] = []
        for _ in 0..<count {
            operations.append(try Operation(from: &reader))
        }
        try wire { () throws(WireError) in try reader.finish() }
        let batch = BatchBody(attributes: attributes, operations: operations)
        try batch.validate()
        return batch
    }

    private func validate() throws(CRDTError) {
        try attributes.validate()
        guard operations.count <= Limits.operationsPerBatch else { throw .batchTooLarge }
        for operation in operations {
            guard attributes.baseStamp.advanced(by: operation.stampDelta) != nil else {
                throw .stampTooLarge
            }
        }
    }
}
