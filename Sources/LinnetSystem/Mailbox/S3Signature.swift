import LinnetCrypto

/// Signs requests as Signature Version 4 of S3 asks for, with the hash of the body among what is
/// signed.
struct S3Signature {
    private static let algorithm = "AWS4-HMAC-SHA256"

    let user: String
    let secret: SharedSecret
    let region: String

    /// Returns the lines to add to the head of a request; `headers` are signed with it.
    ///
    /// - Parameters:
    ///   - host: the host as the request names it.
    ///   - path: the path as the request has it, encoded once.
    ///   - query: the names and values, not encoded.
    ///   - headers: more names, in lower case, and values.
    ///   - seconds: the time, in Unix seconds.
    func sign(
        _ method: String, host: String, path: String, query: [(String, String)] = [],
        headers: [(String, String)] = [], body: [UInt8] = [], at seconds: Int64
    ) -> [String] {
        let time = HTTPDate.basic(seconds)
        let hash = Self.hex(SHA256.hash(body))
        let added = [("x-amz-content-sha256", hash), ("x-amz-date", time)]
        let all = (headers + added + [("host", host)]).sorted { $0.0 < $1.0 }
        let names = all.map(\.0).joined(separator: ";")
        let request = [
            method, path, Self.query(query), all.map { "\($0.0):\($0.1)\n" }.joined(), names, hash,
        ].joined(separator: "\n")
        let day = String(time.prefix(8))
        let scope = "\(day)/\(region)/s3/aws4_request"
        let text = [
            Self.algorithm, time, scope, Self.hex(SHA256.hash(Array(request.utf8))),
        ].joined(separator: "\n")
        let code = SHA256.authenticate(Array(text.utf8), by: key(day)).exposed()
        return added.map { "\($0.0): \($0.1)" } + [
            "Authorization: \(Self.algorithm) Credential=\(user)/\(scope),SignedHeaders=\(names),"
                + "Signature=\(Self.hex(code))"
        ]
    }

    /// Returns a query as it is signed and sent: sorted, and encoded.
    static func query(_ query: [(String, String)]) -> String {
        query.map { (encoded($0.0), encoded($0.1)) }.sorted { $0.0 < $1.0 }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    private func key(_ day: String) -> SecretBytes {
        let prefix = SecretBytes(copying: Array("AWS4".utf8))
        var key = SecretBytes(joining: prefix, secret.bytes)
        for part in [day, region, "s3", "aws4_request"] {
            key = SHA256.authenticate(Array(part.utf8), by: key)
        }
        return key
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
                || "-._~".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + hex([byte]).uppercased()
        }.joined()
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
