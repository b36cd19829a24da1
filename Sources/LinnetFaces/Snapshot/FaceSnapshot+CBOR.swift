package import LinnetCrypto
import LinnetMedication
import LinnetWire

extension FaceSnapshot {
    private static let magic = "linnet-faces"
    private static let maximumText = 1_024

    /// The snapshot as bytes that anybody with the public key can check; `tooLarge` if it has more
    /// rows or longer texts than a reader takes.
    ///
    /// `[magic, version, signer, body, signature]` in deterministic CBOR (RFC 8949 section 4.2);
    /// the signature is Ed25519 (RFC 8032) over a label of its own, the signer and the body.
    package func sealed(by key: borrowing SigningKey) throws(FacesError) -> [UInt8] {
        let body = body
        var writer = CBORWriter()
        writer.array(5)
        writer.text(Self.magic)
        writer.unsigned(Self.version)
        writer.bytes(key.publicKey)
        writer.bytes(body)
        writer.bytes(key.sign(.snapshot, key.publicKey + body))
        do throws(FacesError) {
            _ = try Self(opening: writer.bytes, publicKey: key.publicKey)
        } catch {
            throw .tooLarge
        }
        return writer.bytes
    }

    /// Reads and checks bytes from a shared container; whether they may be believed by now says
    /// ``FaceSnapshot/check(at:)``.
    public init(opening bytes: [UInt8], publicKey: [UInt8]) throws(FacesError) {
        guard bytes.count <= Self.maximumBytes else { throw .malformed }
        let signer: [UInt8]
        let body: [UInt8]
        let signature: [UInt8]
        let version: UInt64
        do throws(WireError) {
            var reader = CBORReader(bytes)
            let count = try reader.array()
            guard try reader.text() == Self.magic else { throw .badLength }
            version = try reader.unsigned()
            if version == Self.version {
                guard count == 5 else { throw .badLength }
                signer = try reader.bytes()
                body = try reader.bytes(max: Self.maximumBytes)
                signature = try reader.bytes()
                try reader.finish()
            } else {
                (signer, body, signature) = ([], [], [])
            }
        } catch {
            throw .malformed
        }
        guard version == Self.version else { throw .unknownVersion(version) }
        guard signer == publicKey else { throw .wrongSigner }
        guard SigningKey.isValid(signature, .snapshot, signer + body, publicKey: publicKey) else {
            throw .badSignature
        }
        do throws(WireError) {
            var reader = CBORReader(body)
            self = try Self.snapshot(&reader)
            try reader.finish()
        } catch {
            throw .malformed
        }
    }

    private var body: [UInt8] {
        var writer = CBORWriter()
        writer.array(5)
        writer.instant(asOf)
        writer.text(frontier)
        writer.instant(expires)
        writer.array(2)
        writer.text(zone.name)
        writer.rows(zone.spans) { span, writer in
            writer.array(3)
            writer.instant(span.from)
            writer.signed(Int64(span.offsetSeconds))
            writer.text(span.abbreviation)
        }
        facts.write(&writer)
        return writer.bytes
    }

    private static func snapshot(_ reader: inout CBORReader) throws(WireError) -> FaceSnapshot {
        try reader.array(exactly: 5)
        let asOf = try reader.instant()
        let frontier = try reader.text(max: maximumText)
        let expires = try reader.instant()
        try reader.array(exactly: 2)
        let name = try reader.text(max: maximumText)
        let spans = try reader.rows { (reader) throws(WireError) in
            try reader.array(exactly: 3)
            let from = try reader.instant()
            let offset = try reader.signed()
            guard offset.magnitude <= 86_400 else { throw WireError.tooLarge }
            return FaceZone.Span(
                from: from, offsetSeconds: Int(offset), abbreviation: try reader.line())
        }
        return FaceSnapshot(
            asOf: asOf, frontier: frontier, expires: expires,
            zone: FaceZone(name: name, spans: spans), facts: try FaceFacts(&reader))
    }
}

extension FaceFacts {
    fileprivate func write(_ writer: inout CBORWriter) {
        writer.array(9)
        writer.rows(doses) { dose, writer in dose.write(&writer) }
        writer.rows(days) { day, writer in
            writer.array(3)
            writer.signed(day.day)
            writer.signed(Int64(day.taken))
            writer.signed(Int64(day.due))
        }
        if let knownSince { writer.signed(knownSince) } else { writer.null() }
        writer.signed(Int64(streakDays))
        writer.bool(isStreakWhole)
        writer.rows(medications) { medication, writer in
            writer.array(3)
            writer.text(medication.name)
            writer.text(medication.dosage)
            writer.text(medication.form)
        }
        writer.rows(alerts) { alert, writer in
            writer.array(3)
            writer.text(alert.kind)
            writer.text(alert.subject)
            writer.text(alert.detail)
        }
        writer.rows(history) { event, writer in
            writer.array(3)
            writer.text(event.name)
            writer.text(event.event)
            writer.instant(event.time)
        }
        writer.bool(isInStep)
    }

    fileprivate init(_ reader: inout CBORReader) throws(WireError) {
        try reader.array(exactly: 9)
        self.init()
        doses = try reader.rows { (reader) throws(WireError) in try FaceDose(&reader) }
        days = try reader.rows { (reader) throws(WireError) in
            try reader.array(exactly: 3)
            return FaceDay(
                day: try reader.day(), taken: try reader.count(), due: try reader.count())
        }
        if try reader.peek() == .null {
            try reader.null()
        } else {
            knownSince = try reader.day()
        }
        streakDays = try reader.count()
        isStreakWhole = try reader.bool()
        medications = try reader.rows { (reader) throws(WireError) in
            try reader.array(exactly: 3)
            return FaceMedication(
                name: try reader.line(), dosage: try reader.line(), form: try reader.line())
        }
        alerts = try reader.rows { (reader) throws(WireError) in
            try reader.array(exactly: 3)
            return FaceAlert(
                kind: try reader.line(), subject: try reader.line(), detail: try reader.line())
        }
        history = try reader.rows { (reader) throws(WireError) in
            try reader.array(exactly: 3)
            return FaceEvent(
                name: try reader.line(), event: try reader.line(), time: try reader.instant())
        }
        isInStep = try reader.bool()
    }
}

extension FaceDose {
    fileprivate func write(_ writer: inout CBORWriter) {
        writer.array(8)
        for text in [id, name, dosage, form] { writer.text(text) }
        writer.instant(time)
        writer.text(label)
        let (code, until): (UInt64, Instant) =
            switch standing {
            case .open: (0, time)
            case .taken: (1, time)
            case .late: (2, time)
            case .skipped: (3, time)
            case .snoozed(let until): (4, until)
            case .unknown: (5, time)
            }
        writer.unsigned(code)
        writer.instant(until)
    }

    fileprivate init(_ reader: inout CBORReader) throws(WireError) {
        try reader.array(exactly: 8)
        let (id, name) = (try reader.line(), try reader.line())
        let (dosage, form) = (try reader.line(), try reader.line())
        let time = try reader.instant()
        let label = try reader.line()
        let code = try reader.unsigned()
        let until = try reader.instant()
        let standing: Standing
        switch code {
        case 0: standing = .open
        case 1: standing = .taken
        case 2: standing = .late
        case 3: standing = .skipped
        case 4: standing = .snoozed(until: until)
        case 5: standing = .unknown
        default: throw .tooLarge
        }
        guard code == 4 || until == time else { throw .nonCanonical }
        self.init(
            id: id, name: name, dosage: dosage, form: form, time: time, label: label,
            standing: standing)
    }
}

extension CBORWriter {
    fileprivate mutating func instant(_ instant: Instant) {
        signed(instant.milliseconds)
    }

    fileprivate mutating func rows<Row>(_ rows: [Row], _ write: (Row, inout CBORWriter) -> Void) {
        array(rows.count)
        for row in rows { write(row, &self) }
    }
}

extension CBORReader {
    /// An instant between the years -97000 and 100000, so that adding a few days never overflows.
    fileprivate mutating func instant() throws(WireError) -> Instant {
        let milliseconds = try signed()
        guard milliseconds.magnitude < 1 << 52 else { throw .tooLarge }
        return Instant(milliseconds: milliseconds)
    }

    /// A day, in days since 1970, that no time zone carries out of range.
    fileprivate mutating func day() throws(WireError) -> Int64 {
        let day = try signed()
        guard day.magnitude < 1 << 26 else { throw .tooLarge }
        return day
    }

    fileprivate mutating func line() throws(WireError) -> String {
        try text(max: 1_024)
    }

    fileprivate mutating func count() throws(WireError) -> Int {
        Int(try unsigned(max: 1_000_000))
    }

    fileprivate mutating func rows<Row>(
        _ read: (inout CBORReader) throws(WireError) -> Row
    ) throws(WireError) -> [Row] {
        let count = try array(max: 4_096)
        var rows: [Row] = []
        for _ in 0..<count { rows.append(try read(&self)) }
        return rows
    }
}
