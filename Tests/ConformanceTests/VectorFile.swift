import Foundation
import Testing

/// A file of `docs/vectors`, and how it is made.
struct VectorFile: Sendable, CustomTestStringConvertible {
    let name: String
    let make: @Sendable () throws -> JSON

    var testDescription: String { name }

    static let all = [
        VectorFile(name: "encoding", make: EncodingVectors.make),
        VectorFile(name: "keys", make: KeyVectors.make),
        VectorFile(name: "membership", make: MembershipVectors.make),
        VectorFile(name: "batches", make: BatchVectors.make),
        VectorFile(name: "merging", make: MergingVectors.make),
        VectorFile(name: "forks", make: ForkVectors.make),
        VectorFile(name: "refused", make: RefusedVectors.make),
        VectorFile(name: "session", make: SessionVectors.make),
        VectorFile(name: "pairing", make: PairingVectors.make),
        VectorFile(name: "discovery", make: DiscoveryVectors.make),
        VectorFile(name: "orders", make: OrderVectors.make),
        VectorFile(name: "pages", make: PageVectors.make),
        VectorFile(name: "card", make: CardVectors.make),
        VectorFile(name: "recovery", make: RecoveryVectors.make),
        VectorFile(name: "files", make: FileVectors.make),
        VectorFile(name: "mailbox", make: MailboxVectors.make),
        VectorFile(name: "bases", make: BaseVectors.make),
    ]

    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/vectors")

    var url: URL { VectorFile.folder.appending(path: name + ".json") }

    /// Whether the files are to be written anew, as `scripts/vectors` asks.
    static var isWriting: Bool {
        ProcessInfo.processInfo.environment["LINNET_WRITE_VECTORS"] != nil
    }
}

@Suite struct VectorFileTests {
    @Test(.enabled(if: VectorFile.isWriting), arguments: VectorFile.all)
    func `the file is written`(_ file: VectorFile) throws {
        try FileManager.default.createDirectory(
            at: VectorFile.folder, withIntermediateDirectories: true)
        try file.make().file.write(to: file.url, atomically: true, encoding: .utf8)
    }

    @Test(.enabled(if: !VectorFile.isWriting), arguments: VectorFile.all)
    func `the file is what the code makes now`(_ file: VectorFile) throws {
        let made = try file.make().file
        let kept = try String(contentsOf: file.url, encoding: .utf8)
        guard made != kept else { return }
        let pairs = zip(made.split(separator: "\n"), kept.split(separator: "\n"))
        let first = pairs.first { $0 != $1 }
        Issue.record("made \(first?.0 ?? ""), kept \(first?.1 ?? ""); see scripts/vectors")
    }

    @Test func `every file of the folder is explained and made here`() throws {
        let page = try String(
            contentsOf: VectorFile.folder.appending(path: "README.md"), encoding: .utf8)
        let found = try FileManager.default.contentsOfDirectory(atPath: VectorFile.folder.path)
            .filter { $0.hasSuffix(".json") }
        #expect(Set(VectorFile.all.map { $0.name + ".json" }).isSubset(of: found))
        for name in found { #expect(page.contains(name), "README.md says nothing of \(name)") }
    }
}
