import LinnetCrypto
import Testing

@testable import Linnet

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

struct FacesKeyTests {
    @Test func `a home draws its key for faces once, for itself alone`() throws {
        let directory = TemporaryDirectory()
        let home = try Home.create(at: "\(directory.path)/home")
        let first = try FacesKey.open(in: home).publicKey
        let second = try FacesKey.open(in: home).publicKey
        #expect(first == second)
        let status = try home.directory.status(of: Home.File.facesKey.rawValue)
        #expect(status.st_mode & 0o777 == 0o600)
        let other = try Home.create(at: "\(directory.path)/other")
        let its = try FacesKey.open(in: other).publicKey
        #expect(its != first)
    }

    @Test func `a key file of another length is refused`() throws {
        let directory = TemporaryDirectory()
        let home = try Home.create(at: "\(directory.path)/home")
        let file = try home.directory.file(Home.File.facesKey.rawValue, O_WRONLY | O_CREAT)
        try file.write([1, 2, 3])
        #expect(throws: HomeError.self) { _ = try FacesKey.open(in: home) }
    }
}
