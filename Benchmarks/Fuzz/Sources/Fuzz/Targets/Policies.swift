import Foundation
import MultiIdentity

@testable import MultiIdentityManagement
@testable import MultiIdentityPolicy

/// The first byte says what the rest is, with its parts separated by 0xFF.
///
/// 0: policies; JSON here is JSON for Foundation, with the same values; a set of policies equals Foundation's reading of it,
/// also after Foundation has rewritten it; a refusal is plain text and has a line of the input. 1: a signature and its text,
/// 2: its header in JSON, its bytes and its text; it has one spelling, and covers everything signed. 3: the answer of a
/// decision point, which allows only by `true`. 4: a name, which a request to it contains.
enum Policies {
    static func check(_ bytes: [UInt8]) -> Bool {
        guard let kind = bytes.first else { return false }
        let parts = bytes.dropFirst().split(separator: 0xFF, omittingEmptySubsequences: false).map(Array.init)
        switch (kind, parts.count) {
        case (0, 1): policies(parts[0])
        case (1, 2): return signature(String(decoding: parts[0], as: UTF8.self), of: parts[1])
        case (2, 3):
            let (header, made) = (Data(parts[0]).base64URL, Data(parts[1]).base64URL)
            return signature("\(header)..\(made)", of: parts[2])
        case (3, 1): answer(parts[0])
        case (4, 1): return request(parts[0])
        default: return false
        }
        return true
    }

    private static func policies(_ text: [UInt8]) {
        SecondReading.check(text)
        do throws(PolicyError) {
            let set = try PolicySet(json: text)
            guard let value = SecondReading.value(text) else { fatalError("Foundation reads no policies") }
            require(set == policySet(value), "Foundation's reading has other policies: \(set)")
            guard let written = try? JSONEncoder().encode(value) else { fatalError("Foundation writes no \(value)") }
            require(set == (try? PolicySet(json: written)), "written anew it is another set")
        } catch {
            require(!error.message.isEmpty, "nothing is said")
        }
    }

    /// Reads the policies a second way, assuming that they are valid.
    private static func policySet(_ value: JSONValue) -> PolicySet {
        let members = value.object ?? [:]
        var set = PolicySet()
        if case .list(let names)? = members["allowedAccounts"] { set.allowedAccounts = identities(names) }
        set.standard = members["standard"].map(policy)
        for (name, value) in members["identities"]?.object ?? [:] {
            guard let identity = try? Identity(name) else { fatalError("\(name) has a policy") }
            set.policies[identity] = policy(value)
        }
        return set
    }

    private static func policy(_ value: JSONValue) -> Policy {
        let members = value.object ?? [:]
        func isTrue(_ key: String) -> Bool { members[key] == .boolean(true) }
        let notify = NotificationContent.allCases.first { "\($0)" == members["notify"]?.text }
        return Policy(
            saveTo: places(members["saveTo"]),
            openFrom: places(members["openFrom"]),
            shareWith: rule(members["shareWith"]),
            receiveFrom: rule(members["receiveFrom"]),
            log: isTrue("log"),
            sendOut: isTrue("sendOut"),
            notify: notify ?? .nothing,
            automate: isTrue("automate")
        )
    }

    private static func places(_ value: JSONValue?) -> PlaceRules {
        if value?.text == "anywhere" { return .anywhere }
        let members = value?.object ?? [:]
        func isTrue(_ key: String) -> Bool { members[key] == .boolean(true) }
        var places = PlaceRules(
            localStorage: isTrue("localStorage"),
            ownDocuments: isTrue("ownDocuments"),
            spaces: rule(members["spaces"]),
            deviceInput: isTrue("deviceInput"),
            other: isTrue("other")
        )
        let words: [String: ServiceRule] = [
            "refused": .refused, "ownAccount": .ownAccount, "anyAccount": .anyAccount,
        ]
        for (name, rule) in members["services"]?.object ?? [:] {
            guard let name = try? ServiceName(name) else { fatalError("\(name) has a rule") }
            places.services[name] = words[rule.text ?? ""]
        }
        return places
    }

    private static func rule(_ value: JSONValue?) -> IdentityRule {
        if case .list(let names)? = value { return .only(identities(names)) }
        return ["managed": .managed, "anyone": .anyone][value?.text ?? ""] ?? .noOne
    }

    private static func identities(_ names: [JSONValue]) -> Set<Identity> {
        Set(names.compactMap { $0.text.flatMap { try? Identity($0) } })
    }
}

extension Policies {
    private static func signature(_ field: String, of text: [UInt8]) -> Bool {
        do throws(ManagementError) {
            let signature = try PolicySignature(field, of: text)
            let parts = field.split(separator: ".", omittingEmptySubsequences: false)
            guard let header = Data(base64URL: parts[0]), let value = SecondReading.value(Array(header))?.object else {
                fatalError("Foundation reads no such header: \(field)")
            }
            let spelled = "\(header.base64URL)..\(Data(signature.signature).base64URL)"
            require(spelled.utf8.elementsEqual(field.utf8), "\(field) is another spelling of \(spelled)")
            require(!signature.signature.isEmpty && signature.algorithm.lowercased() != "none", "nothing signed it")
            require(value["alg"]?.text == signature.algorithm && value["kid"]?.text == signature.keyID, "\(value)")
            let isPlain = value["b64"] == .boolean(false)
            require(value["crit"] == (isPlain ? ["b64"] : nil) || value["crit"] == (isPlain ? nil : []), "\(value)")
            let covered = isPlain ? text : Array(Data(text).base64URL.utf8)
            require(signature.bytes == Array("\(header.base64URL).".utf8) + covered, "it covers something else")
        } catch {
            require(error.code == .wrongSignature, "\(error.code)")
            return (2...8_192).contains(field.utf8.count)
        }
        return true
    }

    private static func answer(_ text: [UInt8]) {
        do throws(PolicyTextError) {
            let answer = try DecisionAnswer(text)
            let decision = SecondReading.value(text)?.object?["decision"]
            // If it contains a number that Foundation cannot represent, there is nothing to compare with.
            require(decision == nil || decision == .boolean(answer.isAllowed), "it is \(answer)")
            require(answer.reason.utf8.count < 1_000, "a reason of \(answer.reason.utf8.count) bytes")
            require(!answer.reason.unicodeScalars.contains { $0.properties.generalCategory == .control }, answer.reason)
        } catch {
            require(!error.message.isEmpty, "nothing is said")
        }
    }

    private static func request(_ bytes: [UInt8]) -> Bool {
        guard let identity = try? Identity(utf8: bytes) else { return false }
        guard let place = try? DataPlace.space(of: identity) else { fatalError("\(identity) has no space") }
        let name = identity.caselessName.precomposedStringWithCanonicalMapping
        for question in [PolicyQuestion.save(to: place), .share(with: identity), .log] {
            let value = SecondReading.value(DecisionRequest(question, identity, isManaged: true).json)
            for part in ["subject", "resource"] {
                let named = value?.object?[part]?.object?["id"]?.text
                require(named?.utf8.elementsEqual(name.utf8) == true, "the \(part) is \(named ?? "none")")
            }
        }
        return true
    }
}
