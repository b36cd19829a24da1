import LinnetStorage
import Testing

struct StorageErrorTests {
    private static let all: [StorageError] = [
        .cannotOpen(code: 14), .notOurs, .fromTheFuture(found: 3, supported: 1), .wrongKey, .busy,
        .diskFull, .readOnly, .corrupt(where: "records"), .writtenOutside, .tooLarge, .duplicate,
        .outOfRange, .outOfMemory, .io(code: 10),
    ]

    @Test(arguments: all) func `every error is a sentence of its own`(_ error: StorageError) {
        #expect(error.description.hasSuffix("."))
        #expect(Self.all.filter { $0.description == error.description } == [error])
    }

    @Test func `what a person needs stands in the text`() {
        #expect(StorageError.fromTheFuture(found: 3, supported: 1).description.contains("3"))
        #expect(StorageError.corrupt(where: "records").description.contains("records"))
        #expect(StorageError.io(code: 1_034).description.contains("1034"))
    }
}
