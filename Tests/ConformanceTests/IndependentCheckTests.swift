import Foundation
import Testing

/// The files are checked by a program in another language that has no line of ours.
@Suite struct IndependentCheckTests {
    private static let python = ProcessInfo.processInfo.environment["LINNET_INTEROP_PYTHON"]

    @Test(.enabled(if: IndependentCheckTests.python != nil))
    func `keys, membership, batches, digests and tags are so for Python too`() throws {
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.python))
        process.arguments = [
            VectorFile.folder.appending(path: "../../scripts/interop/check_vectors.py").path,
            VectorFile.folder.path,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && said.contains("facts are so"), "\(said)")
    }
}
