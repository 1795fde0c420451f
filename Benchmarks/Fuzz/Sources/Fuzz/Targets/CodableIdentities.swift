import Foundation
import MultiIdentity

/// The input is JSON: an identity, or something else.
///
/// A decoded value is nobody or a valid name, and its own encoding decodes to the same spelling; a string that is not a
/// name is refused as corrupt, and only an object becomes nobody.
enum CodableIdentities {
    static func check(_ bytes: [UInt8]) -> Bool {
        let data = Data(bytes)
        let text = try? JSONDecoder().decode(String.self, from: data)
        guard let identity = try? JSONDecoder().decode(Identity.self, from: data) else {
            if let text { require((try? Identity(text)) == nil, "refused the name \(text)") }
            return text != nil
        }
        if identity.isNobody {
            require(text == nil, "made nobody of a string")
            require((try? JSONDecoder().decode([String: Bool].self, from: data))?["nobody"] != false, "false is nobody")
        } else {
            require(text.map { Array($0.utf8) == Array(identity.name.utf8) } == true, "changed the name")
            require((try? Identity(identity.name)) == identity, "accepted what is no name")
        }
        do {
            let encoded = try JSONEncoder().encode(identity)
            let again = try JSONDecoder().decode(Identity.self, from: encoded)
            require(again == identity && again.name == identity.name, "did not come back")
            let keyed = try JSONDecoder().decode([Identity: Int].self, from: JSONEncoder().encode([identity: 1]))
            require(keyed == [identity: 1], "did not come back as a key")
        } catch {
            require(false, "could not be encoded: \(error)")
        }
        return true
    }
}
