import LinnetCrypto
import Testing

@testable import LinnetSystem

/// The examples that the documentation of Signature Version 4 for S3 publishes, and times.
struct S3SignatureTests {
    /// 24 May 2013, midnight UTC.
    private static let seconds: Int64 = 1_369_353_600

    private func sign(
        _ method: String, _ path: String, query: [(String, String)] = [],
        headers: [(String, String)] = [], body: String = ""
    ) -> [String] {
        let secret = Array("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".utf8)
        return S3Signature(
            user: "AKIAIOSFODNN7EXAMPLE", secret: SharedSecret(SecretBytes(copying: secret)),
            region: "us-east-1"
        ).sign(
            method, host: "examplebucket.s3.amazonaws.com", path: path, query: query,
            headers: headers, body: Array(body.utf8), at: Self.seconds)
    }

    @Test func `S3Signature signs the published examples as they are signed there`() {
        let get = sign("GET", "/test.txt", headers: [("range", "bytes=0-9")])
        #expect(
            get == [
                "x-amz-content-sha256: "
                    + "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "x-amz-date: 20130524T000000Z",
                "Authorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/"
                    + "us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;"
                    + "x-amz-date,Signature="
                    + "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
            ])
        let put = sign(
            "PUT", "/test%24file.text",
            headers: [
                ("date", "Fri, 24 May 2013 00:00:00 GMT"),
                ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
            ], body: "Welcome to Amazon S3.")
        #expect(
            put.last?.hasSuffix(
                "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
                == true)
        let lifecycle = sign("GET", "/", query: [("lifecycle", "")])
        #expect(
            lifecycle.last?.hasSuffix(
                "Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
                == true)
        let list = sign("GET", "/", query: [("prefix", "J"), ("max-keys", "2")])
        #expect(
            list.last?.hasSuffix(
                "Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
                == true)
    }

    @Test func `a query is sorted and encoded in one way`() {
        #expect(
            S3Signature.query([("b", "a/b c=ä+"), ("a", "~_.-Z9")])
                == "a=~_.-Z9&b=a%2Fb%20c%3D%C3%A4%2B")
    }

    @Test func `HTTPDate reads and writes the times of the Gregorian calendar`() {
        #expect(HTTPDate.seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        #expect(HTTPDate.seconds("Fri, 24 May 2013 00:00:00 GMT") == Self.seconds)
        #expect(HTTPDate.basic(951_782_400) == "20000229T000000Z")
        #expect(HTTPDate.basic(4_107_542_399) == "21000228T235959Z")
        #expect(HTTPDate.seconds("Tue, 29 Feb 2000 00:00:00 GMT") == 951_782_400)
        for wrong in [
            "", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 19941 08:49:37 GMT", "1994-11-06",
            "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 PST",
            "Sun, -6 Nov 1994 08:49:37 GMT",
        ] {
            #expect(HTTPDate.seconds(wrong) == nil, "\(wrong)")
        }
    }

    @Test func `HTTPDate waits as long as a store asks for, and at most an hour`() {
        let now: Int64 = 784_111_777
        #expect(HTTPDate.wait("120", now: now) == 120)
        #expect(HTTPDate.wait("2000000000", now: now) == HTTPDate.longestWait)
        #expect(HTTPDate.wait("Sun, 06 Nov 1994 08:50:37 GMT", now: now) == 60)
        #expect(HTTPDate.wait("Sun, 06 Nov 1993 08:50:37 GMT", now: now) == 0)
        for wrong in ["", "-1", "soon", "99999999999999999999"] {
            #expect(HTTPDate.wait(wrong, now: now) == nil)
        }
    }
}
