import LinnetWire
import Testing

@testable import LinnetSystem

/// Listings as real stores write them, and as nobody should.
struct StoreListingTests {
    private func resources(_ text: String, upTo limit: Int = 100) throws -> [String] {
        try StoreListing.resources(Array(text.utf8), upTo: limit)
    }

    @Test func `StoreListing reads what Apache lists, and any prefix and form of a path`() throws {
        #expect(
            try resources(
                """
                <?xml version="1.0" encoding="utf-8"?>
                <D:multistatus xmlns:D="DAV:">
                <D:response xmlns:lp1="DAV:"><D:href>/linnet/h/</D:href><D:propstat><D:prop>
                <lp1:resourcetype><D:collection/></lp1:resourcetype></D:prop>
                <D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
                <D:response><D:href>/linnet/h/abc</D:href><D:propstat><D:prop/>
                <D:status>HTTP/1.1 404 Not Found</D:status></D:propstat></D:response>
                </D:multistatus>
                """) == ["h", "abc"])
        #expect(
            try resources(
                """
                <multistatus xmlns="DAV:"><response><href>
                https://host/x/h/a%62c</href></response>
                <response><href>/h/gone</href><status>HTTP/1.1 404 Not Found</status></response>
                <response><href>/h/there</href><status>HTTP/1.1 200 OK</status></response>
                <x:response xmlns:x="other"><x:href>/h/other</x:href></x:response>
                <response><href>/h/%zz%+1%</href></response><response><href>/</href></response>
                <response><href/></response><response/></multistatus>
                """) == ["abc", "there", "%zz%+1%", "", ""])
    }

    @Test func `a listing of resources ends at its limit, and is one of WebDAV`() throws {
        let many = (0..<50).map { "<response><href>/\($0)</href></response>" }.joined()
        let text = "<multistatus xmlns='DAV:'>\(many)</multistatus>"
        #expect(try resources(text, upTo: 7).count == 7)
        for wrong in [
            "<html/>", "<multistatus/>", "<multistatus xmlns='DAV:'>", "", "not XML",
            "<!DOCTYPE multistatus><multistatus xmlns='DAV:'/>",
        ] {
            let error = #expect(throws: MailboxError.self) { try resources(wrong) }
            guard case .badListing = error else {
                Issue.record("\(wrong): \(String(describing: error))")
                continue
            }
        }
    }

    @Test func `StoreListing reads the keys of a bucket, and where the listing goes on`() throws {
        let space = "http://s3.amazonaws.com/doc/2006-03-01/"
        func keys(_ text: String) throws -> StoreListing.Keys {
            try StoreListing.keys(
                Array("<ListBucketResult xmlns='\(space)'>\(text)</ListBucketResult>".utf8))
        }
        let contents = "<Contents><Key>h/a&amp;b</Key><Size>1</Size></Contents>"
        var found = StoreListing.Keys()
        found.keys = ["h/a&b"]
        #expect(try keys(contents + "<IsTruncated>false</IsTruncated>") == found)
        #expect(try keys(contents + "<NextContinuationToken>t</NextContinuationToken>") == found)
        found.next = "t"
        #expect(
            try keys(
                "<IsTruncated>true</IsTruncated>\(contents)"
                    + "<NextContinuationToken>t</NextContinuationToken>") == found)
        #expect(throws: MailboxError.self) { try keys("<IsTruncated>true</IsTruncated>") }
        #expect(throws: MailboxError.self) { try StoreListing.keys(Array("<Error/>".utf8)) }
        #expect(try keys("<Other><Key>x</Key></Other><Key>y</Key>") == StoreListing.Keys())
    }

    @Test func `the word of an error is shown where it is a plain one`() {
        func code(_ text: String) -> String { StoreListing.errorCode(Array(text.utf8)) }
        #expect(code("<?xml version='1.0'?><Error><Code>Denied</Code></Error>") == "Denied")
        #expect(code("<Error><Code>a b</Code></Error>").isEmpty)
        #expect(code("<Error><Code>\(String(repeating: "a", count: 65))</Code></Error>").isEmpty)
        #expect(code("<html>no</html>").isEmpty && code("").isEmpty && code("\u{1b}[2J").isEmpty)
    }

    @Test func `a listing as long as may be is read in one pass`() throws {
        // So many small elements would take hours if each were compared with all others.
        let one = "<response><href>/h/a</href></response>"
        let count = (Limits.mailListingBytes - 64) / one.utf8.count
        let text = "<multistatus xmlns='DAV:'>" + String(repeating: one, count: count)
        #expect(try resources(text + "</multistatus>").count == 100)
    }
}
