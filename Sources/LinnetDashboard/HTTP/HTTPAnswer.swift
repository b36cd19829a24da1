import Linnet
import LinnetAPI
import LinnetControl

/// An answer to a request: its status, its headers beside those that every answer has, its bytes.
struct HTTPAnswer: Sendable {
    var status: UInt32
    var type: String
    var body: [UInt8]
    var headers: [HTTPRequest.Pair] = []

    init(_ status: UInt32 = 200, type: String, _ body: [UInt8]) {
        self.status = status
        self.type = type
        self.body = body
    }

    /// The policy of the page and its workers: nothing that is not of this origin, and no markup
    /// from texts.
    static let pagePolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
        "connect-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types linnet",
    ].joined(separator: "; ")

    /// The headers of every answer, errors too.
    static let commonHeaders = [
        HTTPRequest.Pair(name: "Content-Security-Policy", value: pagePolicy),
        HTTPRequest.Pair(name: "X-Content-Type-Options", value: "nosniff"),
        HTTPRequest.Pair(name: "Referrer-Policy", value: "no-referrer"),
        HTTPRequest.Pair(name: "Cross-Origin-Resource-Policy", value: "same-origin"),
        HTTPRequest.Pair(name: "Cross-Origin-Opener-Policy", value: "same-origin"),
        HTTPRequest.Pair(name: "Cache-Control", value: "no-store"),
    ]

    static func json(_ json: JSON, status: UInt32 = 200) -> HTTPAnswer {
        HTTPAnswer(status, type: "application/json", Array((json.line + "\n").utf8))
    }

    static func page(_ text: String, status: UInt32 = 200) -> HTTPAnswer {
        HTTPAnswer(status, type: "text/html; charset=utf-8", Array(text.utf8))
    }

    static func picture(_ svg: String) -> HTTPAnswer {
        HTTPAnswer(type: "image/svg+xml", Array(svg.utf8))
    }

    /// Returns the failure of a verb.
    static func failure(_ failure: ControlFailure) -> HTTPAnswer {
        refusal(status(of: failure), "\(failure.kind)", failure.message)
    }

    /// Returns the status of the answer to what failed.
    static func status(of failure: ControlFailure) -> UInt32 {
        switch failure.kind {
        case .usage: 400
        case .unreachable: 504
        case .failed, .hidden, .unchanged: 409
        }
    }

    /// Returns the refusal of a request, for a program.
    static func refusal(
        _ status: UInt32, _ code: String, _ message: String, remedy: String? = nil
    ) -> HTTPAnswer {
        .json(
            [
                "error": [
                    "code": .text(code), "message": .text(message),
                    "remedy": remedy.map(JSON.text) ?? .null,
                ]
            ], status: status)
    }
}

/// The reply of the site to a request.
enum HTTPReply {
    /// The answer is known.
    case now(HTTPAnswer)
    /// The answer is made elsewhere, while the connection waits.
    case later(@Sendable () async -> HTTPAnswer)
    /// Events follow until one side ends them.
    case stream(EventStream)
}
