import LinnetSystem

/// Listings and errors of stores over HTTP, which anybody may run.
func fuzz(_ input: [UInt8]) {
    do throws(MailboxError) {
        let names = try StoreListing.resources(input, upTo: 10)
        require(names.count <= 10, "a listing ends at its limit")
    } catch {
        require(!error.description.isEmpty, "a refusal says why")
    }
    do throws(MailboxError) {
        let keys = try StoreListing.keys(input)
        require(keys.keys.count <= input.count, "no key comes from nothing")
    } catch {
        require(!error.description.isEmpty, "a refusal says why")
    }
    require(StoreListing.errorCode(input).utf8.count <= 64, "a word is short")
}

func seeds() -> [[UInt8]] {
    [
        """
        <?xml version="1.0" encoding="utf-8"?><D:multistatus xmlns:D="DAV:"><D:response>
        <D:href>/h/a%20b&#65;</D:href><D:status>HTTP/1.1 200 OK</D:status></D:response>
        </D:multistatus>
        """,
        """
        <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>true
        </IsTruncated><Contents><Key>h/a&amp;<![CDATA[b]]></Key></Contents>
        <NextContinuationToken>t</NextContinuationToken></ListBucketResult>
        """, "<Error><Code>AccessDenied</Code></Error>",
    ].map { Array($0.utf8) }
}
