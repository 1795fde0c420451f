import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityTesting
import Testing

@_spi(Settings) @testable import MultiIdentityManagement

@Suite("Random texts from outside") struct MadeUpTextsTests {
    private static let settings = """
        {"multiIdentity": {
            "mode": "single", "jitter": 0.25, "valuesToScrub": ["hunter22", "\\u00e9"], "policyRequired": true
        }, "port": [8080, {"a": null}]}
        """
    private static let pieces = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "null", "true", "1e9", "\u{FEFF}", "\n", "\"multiIdentity\"", "\u{0}",
    ]

    /// Returns the text with some bytes changed, removed or inserted.
    private static func changed(_ text: String, _ dice: inout Dice) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<(1 + dice.below(4)) {
            let place = dice.below(bytes.count + 1)
            switch dice.below(3) {
            case 0 where place < bytes.count: bytes[place] = UInt8(dice.below(256))
            case 1 where place < bytes.count: bytes.remove(at: place)
            default: bytes.insert(contentsOf: Array(pieces[dice.below(pieces.count)].utf8), at: place)
            }
        }
        return bytes
    }

    @Test("that contain settings are read whole or refused", .rule("17.2")) func ofSettings() {
        var dice = Dice(23)
        var (read, refused) = (0, 0)
        for _ in 0..<1_500 {
            let text = Self.changed(Self.settings, &dice)
            do throws(ManagementError) {
                _ = try ManagementConfiguration(json: text, path: "app.json")
                read += 1
            } catch {
                refused += 1
                #expect(error.message.hasPrefix("app.json") && !error.message.contains("hunter22"), "\(error)")
            }
        }
        #expect(read > 150 && refused > 150, "\(read) read, \(refused) refused")
    }

    @Test("that contain a signature of policies are read in the same form or refused", .rule("19.1"))
    func ofSignatures() {
        var dice = Dice(24)
        let field = PolicyService.signature(of: Array("{}".utf8))
        var refused = 0
        for _ in 0..<1_500 {
            let text = String(decoding: Self.changed(field, &dice), as: UTF8.self)
            do throws(ManagementError) {
                let signature = try PolicySignature(text, of: Array("{}".utf8))
                #expect(signature.algorithm.lowercased() != "none" && !signature.signature.isEmpty)
                // The signed bytes begin with the header as it was received.
                #expect(signature.bytes.starts(with: Array(text.utf8.prefix { $0 != UInt8(ascii: ".") })))
            } catch {
                refused += 1
                #expect(error.code == .wrongSignature)
            }
        }
        #expect(refused > 150)
    }

    @Test("from a decision point allow only if they say so", .rule("19.5")) func ofDecisions() {
        var dice = Dice(25)
        let answer = #"{"decision": false, "context": {"reason_admin": {"en": "policy 7"}, "x": [1]}}"#
        var refused = 0
        for _ in 0..<1_500 {
            let text = Self.changed(answer, &dice)
            guard let found = try? DecisionAnswer(text) else {
                refused += 1
                continue
            }
            #expect(!found.isAllowed || String(decoding: text, as: UTF8.self).contains("true"))
        }
        #expect(refused > 150)
    }
}
