import MultiIdentity
import MultiIdentityPolicy

/// A question of policy as AuthZEN has it.
struct DecisionRequest: Sendable {
    /// The body of the request.
    let json: [UInt8]

    init(_ question: PolicyQuestion, _ identity: Identity?, isManaged: Bool) {
        let subject = Self.object([
            ("type", Self.text(identity == nil ? "none" : identity == .nobody ? "nobody" : "identity")),
            ("id", Self.text(identity?.name ?? "")),
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
        let own = resource("data", identity?.name ?? "")
        return switch question {
        case .save(let place): ("save", resource(of: place))
        case .open(let place): ("open", resource(of: place))
        case .share(let other):
            ("share", resource(other.map { $0.isNobody ? "nobody" : "identity" } ?? "none", other?.name ?? ""))
        case .log: ("log", own)
        case .sendOut: ("sendOut", own)
        case .notify(let content): ("notify", resource("data", identity?.name ?? "", [("showing", text("\(content)"))]))
        case .automate: ("automate", own)
        }
    }

    private static func resource(of place: DataPlace) -> [UInt8] {
        var properties: [(String, [UInt8])] = []
        switch place.account {
        case nil: break
        case .identity(let identity): properties = [("account", text(identity.name))]
        case .foreign(let name, let service):
            properties = [("account", text(name)), ("accountService", text(service.name))]
        }
        return switch place.kind {
        case .localStorage: resource("localStorage", "", properties)
        case .service(let name): resource("service", name.name, properties)
        case .space(let identity): resource("space", identity.name, properties)
        case .deviceInput: resource("deviceInput", "", properties)
        case .other: resource("other", "", properties)
        }
    }

    private static func resource(_ type: String, _ id: String, _ properties: [(String, [UInt8])] = []) -> [UInt8] {
        object([("type", text(type)), ("id", text(id)), ("properties", object(properties))])
    }

    private static func names(_ actor: IdentityActor?) -> [UInt8] {
        let names = actor?.identities.map { text($0.name) } ?? []
        return Array("[".utf8) + names.joined(separator: ", ".utf8) + Array("]".utf8)
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
    /// The reason that it gives to administrators, or else to users; where it gives none, that it has decided.
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
        guard let decision else { throw whole.error(.missingKey, "The decision is missing. Have it be true or false.") }
        isAllowed = decision
        let given = (reasons["reason_admin"] ?? reasons["reason_user"]).map { ": \(EscapedText($0).quoted)" } ?? ""
        reason = "it has decided so\(given)"
    }
}
