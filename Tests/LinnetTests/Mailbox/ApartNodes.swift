import Linnet
import Testing

/// Two nodes of one group that met once to pair, are not connected, and do not listen.
func nodesApart(in home: TestHome) async throws -> (laptop: Node, phone: Node) {
    let laptop = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
    try await laptop.start(.loopback)
    let phone = try await Node.createToJoin(at: home("phone"), name: "Phone", kind: .phone)
    try await phone.start(.loopback)
    try await pair(phone, with: laptop)
    let port = try #require(await laptop.port)
    try await phone.sync(with: ["127.0.0.1:\(port)"])
    await stop([laptop, phone])
    return (try await Node.open(at: home("laptop")), try await Node.open(at: home("phone")))
}
