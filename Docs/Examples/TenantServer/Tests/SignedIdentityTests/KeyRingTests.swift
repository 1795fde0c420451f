import Foundation
import SignedIdentity
import Testing

@Suite("A ring of keys is read from the environment") struct KeyRingTests {
    static let key = Data((0..<32).map { UInt8($0) }).base64EncodedString()
    static let other = Data((0..<32).map { UInt8($0 + 100) }).base64EncodedString()

    @Test("the first key signs, and all are taken")
    func rotation() throws {
        let old = try KeyRing(parsing: "2026-10:\(Self.key)")
        let new = try KeyRing(parsing: "2026-11:\(Self.other),2026-10:\(Self.key)")
        let bytes = Array("a message".utf8)
        #expect(new.currentID == "2026-11")
        #expect(new.ids == ["2026-11", "2026-10"])
        #expect(new.isValid(old.code(for: bytes), for: bytes, keyID: "2026-10") == true)
        #expect(old.isValid(new.code(for: bytes), for: bytes, keyID: "2026-11") == nil, "not in the ring yet")
        #expect(new.isValid(new.code(for: bytes), for: bytes, keyID: "2026-10") == false, "another key's")
        #expect(new.isValid(new.code(for: bytes), for: Array("another".utf8), keyID: "2026-11") == false)
    }

    @Test(
        "what is no ring is refused, and the message shows no key",
        arguments: [
            "", ",", "a", "a:", ":\(key)", "a:\(key),", "a:\(key),a:\(other)", "a b:\(key)", "a:c2hvcnQ=", "a:\(key)!",
            String(repeating: "k", count: 65) + ":\(key)", "a\n:\(key)",
        ]
    )
    func refused(_ text: String) {
        let error = #expect(throws: KeyRingError.self) { try KeyRing(parsing: text) }
        #expect(error?.message.contains(Self.key) == false)
        #expect(error?.message.contains("c2hvcnQ=") == false)
    }

    @Test("and none where keys and ids have changed places, or a claim names what is no key's id")
    func changedPlaces() {
        let hexadecimal = String(repeating: "0123456789abcdef", count: 4)
        for text in ["\(hexadecimal):one", "\(hexadecimal):\(Self.key),\(hexadecimal):\(Self.key)"] {
            let error = #expect(throws: KeyRingError.self) { try KeyRing(parsing: text) }
            #expect(error?.message.contains(hexadecimal) == false)
        }
        let unknown = UnknownKeyError(issuer: "web", keyID: "one\u{202E} identity=root")
        #expect(unknown.description.contains("root") == false && unknown.description.contains("\u{202E}") == false)
    }

    @Test("a ring's description names the keys and shows none")
    func description() throws {
        #expect(try "\(KeyRing(parsing: "a:\(Self.key)"))" == "keys a")
    }
}
