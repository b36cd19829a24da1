import Foundation
import Glibc
import Linnet
import LinnetCLI
import Testing

/// The mailbox commands, and devices that share a folder alone, as real processes.
@Suite(.timeLimit(.minutes(10)))
struct MailboxCommandTests: GroupOnLoopback {
    /// Two devices of one group whose nodes do not run, and a folder that both have as a mailbox.
    private func apart() throws -> (TestDevice, TestDevice, folder: String) {
        let laptop = try RunningDevice(try TestDevice.founder())
        let phone = try admit("Phone", by: laptop)
        #expect(laptop.command.end() == 0)
        let folder = "\(laptop.device.directory)/box"
        TestDevice.make(folder)
        for device in [laptop.device, phone] {
            let added = try device.run("mailbox", "add", "folder:\(folder)")
            #expect(added.code == 0, "\(added.error)")
        }
        return (laptop.device, phone, folder)
    }

    private func sync(_ device: TestDevice) throws {
        let outcome = try device.run("mailbox", "sync", "--json")
        #expect(outcome.code == 0, "\(outcome.error)")
    }

    private func files(_ folder: String) -> [String] {
        (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? [])
            .filter { $0.utf8.count > 1 }.sorted()
    }

    @Test func `two homes that share a folder alone hold the same, and the folder no word`()
        throws
    {
        let (laptop, phone, folder) = try apart()
        #expect(try laptop.run("set", "medication/canary1", "name=Canarytext").code == 0)
        #expect(try phone.run("set", "medication/m2", "name=Milk").code == 0)
        for device in [laptop, phone, laptop] { try sync(device) }
        #expect(try title("canary1", on: phone).contains("Canarytext"))
        #expect(try laptop.run("digest").output == phone.run("digest").output)
        let status = try #require(try laptop.run("mailbox", "status", "--json").objects().first)
        #expect(status["mailbox"]?.string == "folder:\(folder)")
        for file in files(folder) {
            let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
            for word in ["anary", "Milk", "Laptop", "Phone", "medication"] {
                #expect(bytes.range(of: Data(word.utf8)) == nil)
            }
        }
    }

    @Test func `a process that is killed while it puts loses nothing`() throws {
        let (laptop, phone, folder) = try apart()
        for round in 1...12 {
            #expect(
                try laptop.run("set", "medication/r\(round)", "name=Round\(round)").code == 0)
            let (process, _) = try laptop.start(["mailbox", "sync"])
            // It is killed at another place each time, and some rounds end before.
            usleep(UInt32(round * 4_000))
            kill(process.id, SIGKILL)
            var status: Int32 = 0
            unsafe waitpid(process.id, &status, 0)
        }
        for device in [laptop, phone] { try sync(device) }
        for round in 1...12 {
            #expect(try title("r\(round)", on: phone).contains("Round\(round)"))
        }
        #expect(try laptop.run("digest").output == phone.run("digest").output)
        #expect(!files(folder).isEmpty)
    }

    @Test func `a removal travels by the folder`() throws {
        let (laptop, phone, _) = try apart()
        for device in [laptop, phone, laptop] { try sync(device) }
        let removed = try laptop.run("remove", "Phone", "--reason", "lost")
        #expect(removed.code == 0, "\(removed.error)")
        for device in [laptop, phone] { try sync(device) }
        #expect(try phone.run("set", "medication/late", "name=Late").code != 0)
        #expect(try laptop.run("set", "medication/later", "name=Secret").code == 0)
        for device in [laptop, phone] { try sync(device) }
        #expect(try phone.run("get", "medication/later").code != 0)
    }

    @Test func `a node that runs takes and leaves by itself, and answers for its mailboxes`()
        throws
    {
        let (laptop, phone, folder) = try apart()
        let running = try RunningDevice(laptop)
        #expect(try laptop.run("set", "medication/m1", "name=Tea").code == 0)
        // The node leaves it without being asked.
        while try phone.run("get", "medication/m1").code != 0 { try sync(phone) }
        #expect(try laptop.run("mailbox", "sync").output.contains(folder))
        let status = try #require(try laptop.run("mailbox", "--json").objects().first)
        #expect(status["heard"].map { "\($0)".contains("Phone") } == true)
        #expect(try laptop.run("mailbox", "remove", "folder:\(folder)").code == 0)
        #expect(try laptop.run("mailbox", "list", "--json").objects().isEmpty)
        #expect(running.command.end() == 0)
    }

    @Test func `what is wrong with the words or the place is said`() throws {
        let device = try TestDevice.founder()
        #expect(try device.run("mailbox", "add").code == 2)
        #expect(try device.run("mailbox", "paint").code == 2)
        #expect(try device.run("mailbox", "list", "--dry-run").code == 2)
        #expect(try device.run("mailbox", "add", "folder:/nowhere/at/all").code == 1)
        #expect(try device.run("mailbox", "add", "box").code == 1)
        #expect(try device.run("mailbox", "sync").code == 1)
        #expect(try device.run("mailbox", "remove", "folder:/nowhere").code == 1)
        let nowhere = try device.run("mailbox", "test", "folder:/nowhere")
        #expect(nowhere.code == 1)
        #expect(nowhere.output.hasPrefix("Failed: put. Not tried: get, list, delete."))
        #expect(try device.run("mailbox", "list").code == 0)
        let folder = "\(device.directory)/box"
        TestDevice.make(folder)
        #expect(try device.run("mailbox", "test", "folder:\(folder)").code == 0)
        #expect(try device.run("mailbox", "add", "folder:\(folder)").code == 0)
        let dry = try device.run("mailbox", "sync", "--dry-run")
        #expect(dry.code == 0 && dry.output.contains("would put h/"))
        #expect(files(folder).filter { $0.utf8.count > 20 }.isEmpty)
        #expect(try device.run("mailbox", "list").output.contains(folder))
        #expect(try device.run("mailbox", "remove", "folder:\(folder)").code == 0)
    }
}
