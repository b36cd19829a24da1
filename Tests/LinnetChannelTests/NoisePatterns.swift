import Foundation
import LinnetChannel

/// The patterns of the Noise specification (sections 7.4, 7.5 and 18.1) as the tables print them,
/// and the `psk` modifiers of section 9.
///
/// `XXfallback` is out of scope: it needs a pre-message with an ephemeral key, and Linnet never
/// falls back.
enum NoisePatterns {
    private static let tables = [
        "N": "<- s ... -> e es",
        "K": "-> s <- s ... -> e es ss",
        "X": "<- s ... -> e es s ss",
        "NN": "-> e <- e ee",
        "NK": "<- s ... -> e es <- e ee",
        "NX": "-> e <- e ee s es",
        "KN": "-> s ... -> e <- e ee se",
        "KK": "-> s <- s ... -> e es ss <- e ee se",
        "KX": "-> s ... -> e <- e ee se s es",
        "XN": "-> e <- e ee -> s se",
        "XK": "<- s ... -> e es <- e ee -> s se",
        "XX": "-> e <- e ee s es -> s se",
        "IN": "-> e s <- e ee se",
        "IK": "<- s ... -> e es s ss <- e ee se",
        "IX": "-> e s <- e ee se s es",
        "NK1": "<- s ... -> e <- e ee es",
        "NX1": "-> e <- e ee s -> es",
        "X1N": "-> e <- e ee -> s <- se",
        "X1K": "<- s ... -> e es <- e ee -> s <- se",
        "XK1": "<- s ... -> e <- e ee es -> s se",
        "X1K1": "<- s ... -> e <- e ee es -> s <- se",
        "X1X": "-> e <- e ee s es -> s <- se",
        "XX1": "-> e <- e ee s -> es s se",
        "X1X1": "-> e <- e ee s -> es s <- se",
        "K1N": "-> s ... -> e <- e ee -> se",
        "K1K": "-> s <- s ... -> e es <- e ee -> se",
        "KK1": "-> s <- s ... -> e <- e ee se es",
        "K1K1": "-> s <- s ... -> e <- e ee es -> se",
        "K1X": "-> s ... -> e <- e ee s es -> se",
        "KX1": "-> s ... -> e <- e ee se s -> es",
        "K1X1": "-> s ... -> e <- e ee s -> se es",
        "I1N": "-> e s <- e ee -> se",
        "I1K": "<- s ... -> e es s <- e ee -> se",
        "IK1": "<- s ... -> e s <- e ee se es",
        "I1K1": "<- s ... -> e s <- e ee es -> se",
        "I1X": "-> e s <- e ee s es -> se",
        "IX1": "-> e s <- e ee se s -> es",
        "I1X1": "-> e s <- e ee s -> se es",
    ]

    private static let tokens: [Substring: HandshakePattern.Token] = [
        "e": .e, "s": .s, "ee": .ee, "es": .es, "se": .se, "ss": .ss,
    ]

    /// The pattern of a name such as `XXpsk0+psk3`, nil when it is out of scope.
    static func pattern(named name: String) -> HandshakePattern? {
        let modifiers = name.split(separator: "+").compactMap { part in
            part.range(of: "psk").flatMap { Int(part[$0.upperBound...]) }
        }
        let base = name.range(of: "psk").map { String(name[..<$0.lowerBound]) } ?? name
        guard let table = tables[base] else { return nil }
        let halves = table.split(separator: " ... ")
        var messages = lines(halves[halves.count - 1]).map(\.tokens)
        for place in modifiers {
            if place == 0 {
                messages[0].insert(.psk, at: 0)
            } else {
                messages[place - 1].append(.psk)
            }
        }
        let before = halves.count == 2 ? lines(halves[0]) : []
        return HandshakePattern(
            name: name,
            initiatorPreMessage: before.first { $0.isInitiators }?.tokens ?? [],
            responderPreMessage: before.first { !$0.isInitiators }?.tokens ?? [],
            messages: messages)
    }

    private static func lines(
        _ text: Substring
    ) -> [(isInitiators: Bool, tokens: [HandshakePattern.Token])] {
        var lines: [(isInitiators: Bool, tokens: [HandshakePattern.Token])] = []
        for word in text.split(separator: " ") {
            if let token = tokens[word] {
                lines[lines.count - 1].tokens.append(token)
            } else {
                lines.append((word == "->", []))
            }
        }
        return lines
    }
}
