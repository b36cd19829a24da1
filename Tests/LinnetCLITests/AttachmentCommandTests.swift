import Foundation
import Linnet
import LinnetCLI
import Testing

/// Files in records, from the command line. `scripts/checks attachments` has two devices.
struct AttachmentCommandTests {
    private let device = TestDevice()

    init() throws {
        let album = try device.write(
            "album.json",
            #"{"version": 1, "collections": [{"id": 2300, "name": "picture", "scope": "album","#
                + #" "fields": [{"id": 1, "name": "title", "type": "text"},"#
                + #" {"id": 2, "name": "image", "kind": "file"}]}]}"#)
        let made = try device.run("init", "--name", "A", "--kind", "laptop", "--schema", album)
        precondition(made.code == 0, made.error)
    }

    @Test func `a file is attached, shown without its key, and fetched`() throws {
        let path = try device.write("tea.png", "pixels")
        let attached = try device.run("attach", "picture/tea", "image", path)
        #expect(attached.code == 0, "\(attached.error)")
        #expect(attached.output.contains("Attached: picture/tea"))
        #expect(
            try device.run("get", "picture/tea").output.contains(
                "image = tea.png (image/png, 6 bytes)"))
        let shown = try device.run("get", "picture/tea", "--json").objects().first?["fields"]
        #expect(shown?["image"]?["size"]?.line == "6")
        #expect(shown?["image"]?["key"] == nil)
        let output = path + ".copy"
        let fetched = try device.run("fetch", "picture/tea", "image", "--output", output, "--json")
        #expect(fetched.code == 0 && fetched.error.isEmpty, "\(fetched.error)")
        #expect(try fetched.objects().first?["bytes"]?.line == "6")
        #expect(FileManager.default.contents(atPath: output) == Data("pixels".utf8))
        let again = try device.run("fetch", "picture/tea", "image", "--output", output)
        #expect(again.code == 1 && again.error.contains("exists already"))
        #expect(
            try device.run("fetch", "picture/tea", "image", "--output", output, "--force").code
                == 0)
        #expect(try device.run("fetch", "picture/tea", "image", "--keep").code == 0)
        #expect(try device.run("history", "picture/tea", "image").output.contains("tea.png"))
        #expect(try device.run("why", "picture/tea", "image").output.contains("latest file wins"))
    }

    @Test(.timeLimit(.minutes(5)))
    func `a file is opened in a program, which gets a copy of its own`() throws {
        let path = try device.write("tea.png", "pixels")
        #expect(try device.run("attach", "picture/tea", "image", path).code == 0)
        let pipe = path + ".pipe"
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let program = try device.write("show", "#!/bin/sh\ncat \"$1\" > '\(pipe)'\n")
        #expect(unsafe chmod(program, 0o700) == 0)
        let opened = try device.run("open", "picture/tea", "image", "--with", program, "--json")
        #expect(opened.code == 0, "\(opened.error)")
        let shown = try FileHandle(forReadingFrom: URL(filePath: pipe)).readToEnd()
        #expect(shown == Data("pixels".utf8))
        guard case .text(let copy)? = try opened.objects().first?["file"] else {
            Issue.record("no file: \(opened.output)")
            return
        }
        #expect(copy.hasSuffix("/tea.png") && copy != path)
        try FileManager.default.removeItem(
            at: URL(filePath: copy).deletingLastPathComponent())
        let none = try device.run("open", "picture/tea", "image", "--with", "no-such-program")
        #expect(none.code == 1 && none.error.contains("there is no program 'no-such-program'"))
    }

    @Test func `a file is taken out of a record, and never typed into it`() throws {
        let path = try device.write("tea.png", "pixels")
        #expect(try device.run("attach", "picture/tea", "image", path).code == 0)
        let typed = try device.run("set", "picture/tea", "image=tea.png")
        #expect(typed.code == 2 && typed.error.contains("use 'linnet attach'"))
        #expect(try device.run("set", "picture/tea", "image=").code == 0)
        let gone = try device.run("fetch", "picture/tea", "image")
        #expect(gone.code == 1 && gone.error.contains("holds no file"))
    }

    @Test(arguments: [
        (["attach", "picture/tea"], "missing argument"),
        (["attach", "picture/tea", "title", "x"], "holds no files; these do: image"),
        (["attach", "picture/tea", "imag", "x"], "did you mean 'image'?"),
        (["fetch", "picture/tea", "image", "--keep", "--output", "x"], "not both"),
        (["fetch", "picture/tea", "image", "--output="], "must not be empty"),
    ])
    func `a wrong call says what is wrong`(_ words: [String], _ message: String) throws {
        let done = try device.run(words)
        #expect(done.code == 2 && done.error.contains(message), "\(done.error)")
    }

    @Test func `what is no file is not attached`() throws {
        for path in ["/nowhere/x", "/tmp"] {
            let done = try device.run("attach", "picture/tea", "image", path)
            #expect(done.code == 1 && done.error.contains("cannot be read"), "\(done.error)")
        }
        let path = try device.write("tea.png", "pixels")
        let named = try device.run("attach", "picture/tea", "image", path, "--name", "a/b")
        #expect(named.code == 1 && named.error.contains("no '/'"))
        #expect(try device.run("list", "picture").output.isEmpty)
    }
}
