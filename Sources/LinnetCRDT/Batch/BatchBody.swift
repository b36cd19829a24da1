import LinnetWire

/// The sealed part of a batch: its attributes and its operations.
package struct BatchBody: Equatable, Sendable {
    /// With fewer operations than `columnsFrom` columns are not tried, and from `columnsAlways` on
    /// rows are not.
    private static let columnsFrom = 8
    private static let columnsAlways = 32

    private enum Encoding: UInt8 {
        case rows = 0
        case columns = 1
        case restatingRows = 16
        case restatingColumns = 17
        case broughtRows = 18
        case broughtColumns = 19

        /// The same for a batch that says another one again.
        func saying(_ restated: Restatement?) -> Encoding {
            guard let restated else { return self }
            if restated.origin != nil { return self == .rows ? .broughtRows : .broughtColumns }
            return self == .rows ? .restatingRows : .restatingColumns
        }

        /// Reads the name of the batch that is said again; nil in a batch that says none again.
        func restatement(
            from reader: inout CBORReader
        ) throws(WireError) -> Restatement? {
            switch self {
            case .rows, .columns: nil
            case .restatingRows, .restatingColumns:
                try Restatement(from: &reader, isOfAnotherGroup: false)
            case .broughtRows, .broughtColumns:
                try Restatement(from: &reader, isOfAnotherGroup: true)
            }
        }
    }

    private static let prefixBytes = 6

    private enum Compression: UInt8 {
        case none = 0
        case deflate = 1
    }

    /// The statements that the batch makes about itself.
    package var attributes: BatchAttributes
    /// The changes in order.
    package var operations: Operations
    /// The batch of an ended life or of another group that this one says again; nil for nearly all.
    package var restates: Restatement?

    /// The bytes that its operations carry: 16 for each, the payloads, and the record identifiers.
    package var decodedBytes: Int { operations.decodedBytes }

    /// The memory that the body takes, in bytes, approximately.
    package var footprint: Int { 256 + attributes.footprint + operations.footprint }

    /// Joins attributes and operations.
    package init(
        attributes: BatchAttributes, operations: Operations, restates: Restatement? = nil
    ) {
        self.attributes = attributes
        self.operations = operations
        self.restates = restates
    }

    /// Joins attributes and the operations of a sequence.
    package init(attributes: BatchAttributes, operations: some Sequence<Operation>) {
        self.init(attributes: attributes, operations: Operations(operations))
    }

    /// The stamp of one of the operations; the ceiling if the stamp would lie above it.
    package func stamp(of operation: Operation) -> Timestamp {
        stamp(after: operation.stampDelta)
    }

    /// The stamp of an operation that is `delta` steps after the base stamp, at most the ceiling.
    package func stamp(after delta: UInt64) -> Timestamp {
        attributes.baseStamp.advanced(by: delta) ?? .ceiling
    }

    /// Returns the plaintext to seal: encoding, compression, length, body, and zero bytes up to the
    /// length that Padmé asks for.
    ///
    /// Throws if the body breaks a limit or its plaintext exceeds `Limits.batchPlaintextBytes`.
    package func encodePlaintext() throws(CRDTError) -> [UInt8] {
        try validate()
        var (encoding, body) = try smallestBody()
        encoding = encoding.saying(restates)
        guard body.count <= Limits.batchBodyBytes, let length = UInt32(exactly: body.count) else {
            throw .batchTooLarge
        }
        let compressed = Deflate.compress(body)
        let isSmaller = compressed.count < body.count
        let compression: Compression = isSmaller ? .deflate : .none
        var plaintext = [encoding.rawValue, compression.rawValue]
        BigEndian.append(length, to: &plaintext)
        plaintext.append(contentsOf: isSmaller ? compressed : body)
        let padded = Padding.padme(plaintext.count)
        guard padded <= Limits.batchPlaintextBytes else { throw .batchTooLarge }
        plaintext.append(contentsOf: repeatElement(0, count: padded - plaintext.count))
        return plaintext
    }

    /// Chooses rows for a few operations, columns for many, and in between whichever is smaller.
    private func smallestBody() throws(CRDTError) -> (Encoding, [UInt8]) {
        if operations.count < Self.columnsFrom { return (.rows, rowBody) }
        guard OperationColumns.expandedBytes(operations) <= Limits.batchBodyBytes else {
            throw .batchTooLarge
        }
        let columns = columnBody
        if operations.count >= Self.columnsAlways { return (.columns, columns) }
        let rows = rowBody
        return columns.count < rows.count ? (.columns, columns) : (.rows, rows)
    }

    /// Reads a plaintext and checks everything but the payloads of its operations.
    package static func decode(plaintext: [UInt8]) throws(CRDTError) -> BatchBody {
        guard plaintext.count <= Limits.batchPlaintextBytes else { throw .batchTooLarge }
        guard plaintext.count >= prefixBytes else { throw .wire(.truncated) }
        guard let encoding = Encoding(rawValue: plaintext[0]),
            let compression = Compression(rawValue: plaintext[1])
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
        let batch =
            switch encoding {
            case .rows, .restatingRows, .broughtRows: try decode(rows: body, encoding)
            case .columns, .restatingColumns, .broughtColumns:
                try decode(columns: body, encoding)
            }
        // The attributes were as they were read.
        try batch.validateOperations()
        return batch
    }

    private var rowBody: [UInt8] {
        var writer = CBORWriter()
        writer.array(restates == nil ? 2 : 3)
        restates?.write(to: &writer)
        attributes.write(to: &writer)
        writer.array(operations.count)
        for operation in operations {
            operation.write(to: &writer)
        }
        return writer.bytes
    }

    private static func decode(
        rows body: [UInt8], _ encoding: Encoding
    ) throws(CRDTError) -> BatchBody {
        // The bytes bound the items: a batch may hold more than a message of another kind.
        var reader = CBORReader(body, maxItems: Limits.batchBodyBytes)
        let restates = try wire { () throws(WireError) in
            try reader.array(exactly: encoding == .rows ? 2 : 3)
            return try encoding.restatement(from: &reader)
        }
        let attributes = try BatchAttributes(from: &reader)
        let count = try wire { () throws(WireError) in try reader.array() }
        guard count <= Limits.operationsPerBatch else { throw .batchTooLarge }
        var operations = Operations()
        for _ in 0..<count {
            operations.append(try Operation(from: &reader))
        }
        try wire { () throws(WireError) in try reader.finish() }
        return BatchBody(attributes: attributes, operations: operations, restates: restates)
    }

    private var columnBody: [UInt8] {
        var writer = CBORWriter()
        restates?.write(to: &writer)
        attributes.write(to: &writer)
        var columns = ColumnWriter()
        columns.append(writer.bytes[...])
        OperationColumns.write(operations, to: &columns)
        return columns.bytes
    }

    private static func decode(
        columns body: [UInt8], _ encoding: Encoding
    ) throws(CRDTError) -> BatchBody {
        var reader = CBORReader(body, maxItems: Limits.batchBodyBytes)
        let restates = try wire { () throws(WireError) in
            try encoding.restatement(from: &reader)
        }
        let attributes = try BatchAttributes(from: &reader)
        var columns = ColumnReader(
            body, from: reader.offset, allowance: Limits.batchBodyBytes)
        let operations = try OperationColumns.read(from: &columns)
        guard columns.isAtEnd else { throw .wire(.trailingBytes) }
        return BatchBody(attributes: attributes, operations: operations, restates: restates)
    }

    private func validate() throws(CRDTError) {
        try attributes.validate()
        try validateOperations()
    }

    private func validateOperations() throws(CRDTError) {
        guard operations.count <= Limits.operationsPerBatch else { throw .batchTooLarge }
        try restates?.validate(operations: operations.count)
        for entry in operations.entries {
            guard attributes.baseStamp.advanced(by: entry.stampDelta) != nil else {
                throw .stampTooLarge
            }
        }
    }
}
