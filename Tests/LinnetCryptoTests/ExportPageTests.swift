import CArgon2
import CSodium
import Foundation
import Testing

/// The page for whoever is asked about exports, held against the code and the libraries.
struct ExportPageTests {
    private static let top = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The rows of the table whose first heading is `heading`.
    private static func rows(_ heading: String) throws -> [[String]] {
        let page = try String(
            contentsOf: top.appending(path: "docs/export-compliance.md"), encoding: .utf8)
        let lines = page.components(separatedBy: "\n").drop { !$0.hasPrefix("| \(heading) |") }
        return lines.dropFirst(2).prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|").map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
            }
        }
    }

    /// The names of cryptographic functions that the sources call.
    private static func called() throws -> Set<String> {
        var found: Set<String> = []
        for folder in ["Sources", "Simulations"] {
            let place = top.appending(path: folder)
            let files = try #require(FileManager.default.enumerator(atPath: place.path))
            for case let file as String in files
            where [".swift", ".c", ".h"].contains(where: file.hasSuffix) {
                let text = try String(contentsOf: place.appending(path: file), encoding: .utf8)
                // Whoever calls them imports them; C includes them.
                guard ["CSodium", "CArgon2", "<sodium", "<argon2"].contains(where: text.contains)
                else { continue }
                for match in text.matches(
                    of: #/\b(crypto_[a-z0-9_]+|argon2id?_[a-z0-9_]+|randombytes_[a-z0-9_]+)\(/#)
                {
                    found.insert(String(match.output.1))
                }
            }
        }
        return found
    }

    /// Returns the row of a function: that of the longest beginning.
    private static func row(of function: String, in names: [String]) -> String? {
        names.filter { function == $0 || function.hasPrefix($0 + "_") }.max { $0.count < $1.count }
    }

    @Test func `the page lists just the algorithms that the sources call`() throws {
        let names = try Self.rows("function").map { $0[0] }
        let called = try Self.called()
        #expect(called.count > 15)
        for function in called {
            #expect(Self.row(of: function, in: names) != nil, "\(function) is in no row")
        }
        for name in names {
            #expect(
                called.contains { Self.row(of: $0, in: names) == name }, "\(name) is not called")
        }
    }

    @Test func `the lengths on the page are those of the libraries`() throws {
        let bytes: [String: Int] = [
            "crypto_aead_xchacha20poly1305_ietf": crypto_aead_xchacha20poly1305_ietf_keybytes(),
            "crypto_aead_chacha20poly1305_ietf": crypto_aead_chacha20poly1305_ietf_keybytes(),
            "crypto_box": crypto_box_secretkeybytes(),
            "crypto_scalarmult": crypto_scalarmult_scalarbytes(),
            "crypto_sign": crypto_sign_seedbytes(),
            "crypto_core_ristretto255": crypto_core_ristretto255_bytes(),
            "crypto_scalarmult_ristretto255": crypto_scalarmult_ristretto255_scalarbytes(),
            "crypto_generichash": crypto_generichash_bytes_max(),
            "crypto_hash_sha256": crypto_hash_sha256_bytes(),
            "crypto_auth_hmacsha256": crypto_auth_hmacsha256_keybytes(),
            "crypto_hash_sha512": crypto_hash_sha512_bytes(),
            // The longest key that PasswordHash gives.
            "argon2id": 64,
            "randombytes": randombytes_seedbytes(),
        ]
        let rows = try Self.rows("function")
        #expect(rows.count == bytes.count)
        for row in rows {
            #expect(row.count == 5)
            #expect(Int(row[2]) == bytes[row[0]].map { $0 * 8 }, "\(row[0])")
        }
        #expect(ARGON2_VERSION_NUMBER.rawValue == 0x13)
    }

    @Test func `the page lists just the libraries that the manifest links`() throws {
        let manifest = try String(
            contentsOf: Self.top.appending(path: "Package.swift"), encoding: .utf8)
        let linked = manifest.matches(of: #/pkgConfig: "([^"]+)"/#).map { String($0.output.1) }
        #expect(linked.count > 5)
        #expect(try Self.rows("library").map { $0[0] }.sorted() == linked.sorted())
    }
}
