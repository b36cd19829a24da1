import LinnetCRDT
import LinnetWire

/// The scopes that a replica wants beside those that every replica holds.
package enum Subscription: Equatable, Sendable {
    /// It wants all, even those of later versions, except for some that are named.
    case everything(except: [String])
    /// It wants those that are named and no others.
    case only([String])

    /// The subscription of a new replica, which wants everything.
    package static let all = Subscription.everything(except: [])

    /// Returns true when it wants a scope that not every replica holds.
    package func wants(_ name: String) -> Bool {
        switch self {
        case .everything(let names): !names.contains { $0.utf8.elementsEqual(name.utf8) }
        case .only(let names): names.contains { $0.utf8.elementsEqual(name.utf8) }
        }
    }

    /// Returns the same subscription with another scope.
    package func adding(_ name: String) -> Subscription {
        if wants(name) { return self }
        switch self {
        case .everything(let names):
            return .everything(except: names.filter { !$0.utf8.elementsEqual(name.utf8) })
        case .only(let names): return .only(names + [name])
        }
    }

    /// Returns the same subscription without a scope.
    package func removing(_ name: String) -> Subscription {
        guard wants(name) else { return self }
        switch self {
        case .everything(let names): return .everything(except: names + [name])
        case .only(let names): return .only(names.filter { !$0.utf8.elementsEqual(name.utf8) })
        }
    }

    /// The bytes that are kept: [is everything, [name, ...]].
    var encoded: [UInt8] {
        let (isEverything, names) =
            switch self {
            case .everything(let names): (true, names)
            case .only(let names): (false, names)
            }
        var writer = CBORWriter()
        writer.array(2)
        writer.bool(isEverything)
        writer.array(names.count)
        for name in names { writer.text(name) }
        return writer.bytes
    }

    /// Reads what `encoded` gave.
    init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.array(exactly: 2)
        let isEverything = try reader.bool()
        var names: [String] = []
        for _ in 0..<(try reader.array()) { names.append(try reader.text()) }
        try reader.finish()
        self = isEverything ? .everything(except: names) : .only(names)
    }
}

extension Subscription {
    /// Returns those of the recent scopes that came to be held late, so that others may have
    /// written there before. A period that follows one that was held is begun in time.
    func gaps(in recent: [String]) -> [String] {
        var gaps: [String] = []
        var isHeld = false
        var series: Substring?
        for name in recent {
            let own = name.prefix(upTo: name.lastIndex(of: "/") ?? name.endIndex)
            if series != own { (series, isHeld) = (own, false) }
            if !isHeld { isHeld = wants(name) }
            if !isHeld { gaps.append(name) }
        }
        return gaps
    }

    /// Returns the wanted scopes that are not divided by time, and that not every replica holds.
    func chosen(in schema: Schema) -> [String] {
        switch self {
        case .only(let names): names.filter { !RecentScopes.covers($0, in: schema) }
        case .everything:
            schema.scopes.filter { name in
                let isOptional = schema.collections.contains {
                    !$0.scope.isAlways && $0.scope.covers(name)
                }
                return isOptional && wants(name)
            }
        }
    }
}
