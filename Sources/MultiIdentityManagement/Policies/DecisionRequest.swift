import MultiIdentity
import MultiIdentityPolicy

/// A policy question in the format of AuthZEN.
struct DecisionRequest: Sendable {
    /// The body of the request.
    let json: [UInt8]

    init(_ question: PolicyQuestion, _ identity: Identity?, isManaged: Bool) {
        let subject = Self.object([
            ("type", Self.text(identity == nil ? "none" : identity == .nobody ? "nobody" : "identity")),
            ("id", Self.id(of: identity)),
            (
                "properties",
                Self.object([("managed", Array("\(isManaged)".utf8)), ("actors", Self.names(identity?.actor))])
            ),
        ])
        let (action, resource) = Self.parts(question, identity)
        json = Self.object([
            ("subject", subject), ("action", Self.object([("name", Self.text(action))])), ("resource", resource),
        ])
    }

    private static func parts(_ question: PolicyQuestion, _ identity: Identity?) -> (action: String, resource: [UInt8])
    {
        let own = resource("data", id(of: identity))
        return switch question {
        case .save(let place): ("save", resource(of: place))
        case .open(let place): ("open", resource(of: place))
        case .share(let other):
            ("share", resource(other.map { $0.isNobody ? "nobody" : "identity" } ?? "none", id(of: other)))
        case .log: ("log", own)
        case .sendOut: ("sendOut", own)
        case .notify(let content): ("notify", resource("data", id(of: identity), [("showing", text("\(content)"))]))
        case .automate: ("automate", own)
        }
    }

    private static func resource(of place: DataPlace) -> [UInt8] {
        var properties: [(String, [UInt8])] = []
        switch place.account {
        case nil: break
        case .identity(let identity): properties = [("account", id(of: identity))]
        case .foreign(let name, let service):
            properties = [("account", text(name)), ("accountService", text(service.name))]
        }
        return switch place.kind {
        case .localStorage: resource("localStorage", text(""), properties)
        case .service(let name): resource("service", text(name.name), properties)
        case .space(let identity): resource("space", id(of: identity), properties)
        case .deviceInput: resource("deviceInput", text(""), properties)
        case .other: resource("other", text(""), properties)
        }
    }

    private static func resource(_ type: String, _ id: [UInt8], _ properties: [(String, [UInt8])] = []) -> [UInt8] {
        object([("type", text(type)), ("id", id), ("properties", object(properties))])
    }

    private static func names(_ actor: IdentityActor?) -> [UInt8] {
        let names = actor?.identities.map { id(of: $0) } ?? []
        return Array("[".utf8) + names.joined(separator: ", ".utf8) + Array("]".utf8)
    }

    /// Returns a canonical spelling of a name, because decision points compare bytes: caseless and composed (NFC).
    private static func id(of identity: Identity?) -> [UInt8] {
        text(String(decoding: (identity?.caselessName ?? "")._nfcCodeUnits, as: UTF8.self))
    }

    private static func text(_ text: String) -> [UInt8] { JSONText.quoted(text) }

    private static func object(_ members: [(key: String, value: [UInt8])]) -> [UInt8] {
        let members = members.map { Array("\"\($0.key)\": ".utf8) + $0.value }
        return Array("{".utf8) + members.joined(separator: ", ".utf8) + Array("}".utf8)
    }
}

/// The answer of a policy decision point.
struct DecisionAnswer {
    let isAllowed: Bool
    /// The decision point's reason for administrators, otherwise for users; if there is none, that it has decided so.
    let reason: String

    init(_ json: [UInt8]) throws(PolicyTextError) {
        var (decision, reasons): (Bool?, [String: String]) = (nil, [:])
        let whole = try JSONReader(json.prefix(1 << 20))
        try whole.allMembers { (key, _, reader) throws(PolicyTextError) in
            if key == "decision" { decision = try reader.bool() }
            guard key == "context", reader.value.kind == .object else { return }
            try reader.allMembers { (key, _, reader) throws(PolicyTextError) in
                guard ["reason_admin", "reason_user"].contains(key), reader.value.kind == .object else { return }
                try reader.allMembers { (_, _, text) throws(PolicyTextError) in
                    if reasons[key] == nil, text.value.kind == .string { reasons[key] = try text.string() }
                }
            }
        }
        guard let decision else { throw whole.error(.missingKey, "The decision is missing. Send true or false.") }
        isAllowed = decision
        let given = (reasons["reason_admin"] ?? reasons["reason_user"]).map { ": \(EscapedText($0).quoted)" } ?? ""
        reason = "it has decided so\(given)"
    }
}
