import Glibc
import Linnet
import Testing

struct HomeInspectionTests {
    private let directory = TemporaryDirectory()

    private func inspection() -> HomeInspection {
        HomeInspection(of: directory.path) { $0 == Array("whole".utf8) }
    }

    private func fill() {
        for file in [Home.File.key, .keyCopy] { directory.write(file.rawValue, "whole") }
        directory.write(Home.File.database.rawValue, "anything")
    }

    @Test func `nothing is wrong with a whole home`() {
        fill()
        #expect(inspection().directory.isEmpty)
        #expect(inspection().keyFiles.isEmpty)
        #expect(inspection().database.isEmpty)
        #expect(inspection().canBeOpened)
    }

    @Test func `every fault of a home is named at once`() {
        fill()
        unsafe chmod(directory.path, 0o755)
        directory.write(Home.File.key.rawValue, "whole", mode: 0o644)
        directory.write(Home.File.keyCopy.rawValue, "torn")
        unsafe truncate("\(directory.path)/store.sqlite", 0)
        unsafe link("\(directory.path)/store.sqlite", "\(directory.path)/other")
        let found = inspection()
        #expect(found.directory == [.directoryPermissions(path: directory.path, mode: 0o755)])
        let key = "\(directory.path)/key"
        #expect(
            found.keyFiles == [
                .key: .refused(.keyFilePermissions(path: key, mode: 0o644)), .keyCopy: .damaged,
            ])
        let database = "\(directory.path)/store.sqlite"
        #expect(
            found.database == [
                .databaseMissing(path: database), .fileLinkCount(path: database, count: 2),
            ])
        #expect(!found.canBeOpened)
        unsafe chmod(directory.path, 0o700)
    }

    @Test func `keys without a database and a database without keys are told apart`() {
        fill()
        unsafe unlink("\(directory.path)/store.sqlite")
        #expect(inspection().database == [.databaseMissing(path: "\(directory.path)/store.sqlite")])
        fill()
        for name in ["key", "key.bak"] { unsafe unlink("\(directory.path)/\(name)") }
        #expect(inspection().database.contains(.keyFileLost(path: "\(directory.path)/key")))
        #expect(inspection().keyFiles.isEmpty)
    }

    @Test func `a link in the place of the database is named`() {
        fill()
        unsafe rename("\(directory.path)/store.sqlite", "\(directory.path)/away")
        unsafe symlink("\(directory.path)/away", "\(directory.path)/store.sqlite")
        #expect(
            inspection().database.contains(
                .fileNotRegular(path: "\(directory.path)/store.sqlite")))
    }

    @Test func `one good copy of the key file is enough to open a home`() {
        fill()
        unsafe unlink("\(directory.path)/key.bak")
        #expect(inspection().keyFiles == [.keyCopy: .missing])
        #expect(inspection().canBeOpened)
    }
}
