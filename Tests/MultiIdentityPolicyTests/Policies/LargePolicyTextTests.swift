#if os(Linux)
import Foundation
import MultiIdentity
import MultiIdentityPolicy
import Testing

@Suite("A large text of policies", .rule("8.6")) struct LargePolicyTextTests {
    /// A text's content, and its outcome: each is read in a separate process whose memory is measured.
    enum Filling: String, CaseIterable, Codable {
        case values, keys, arrays, accounts, identities

        func text(_ byteCount: Int) -> [UInt8] {
            let start: String
            let piece: (Int) -> String
            var end = "]}"
            switch self {
            case .values:
                start = #"{"version":1,"x":[0"#
                piece = { _ in ",0" }
            case .keys:
                start = #"{"version":1,"x":{"":0"#
                piece = { ",\"\(String($0, radix: 36))\":0" }
                end = "}}"
            case .arrays:
                start = #"{"version":1,"x":[[]"#
                piece = { _ in ",[]" }
            case .accounts:
                start = #"{"version":1,"allowedAccounts":["user"#
                piece = { "\",\"user\($0)@a-company-with-a-name-of-some-length.example.com" }
                end = "\"]}"
            case .identities:
                start = #"{"version":1,"identities":{"user":{}"#
                piece = { number in
                    """
                    ,"user\(number)@contoso.com":{"saveTo":{"localStorage":false,"ownDocuments":true,"spaces":"managed"},\
                    "openFrom":"anywhere","shareWith":"managed","log":true,"sendOut":false}
                    """
                }
                end = "}}"
            }
            var text: [UInt8] = []
            text.reserveCapacity(byteCount)
            text += start.utf8
            var number = 0
            while text.count < byteCount - 300 {
                text += piece(number).utf8
                number += 1
            }
            return text + end.utf8
        }
    }

    /// The peak memory of this process in bytes since the last reset.
    private static var peak: Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
        return (line?.split { !$0.isNumber }.first).flatMap { Int($0) }.map { $0 << 10 } ?? 0
    }

    #if compiler(>=6.3)  // an exit test that captures
    @Test("takes at most eight times its size to read", .disabled(if: Sanitizer.isOn), arguments: Filling.allCases)
    func memory(_ filling: Filling) async {
        await #expect(processExitsWith: .success) { [filling = filling as Filling] in
            // A fraction of the largest text is enough, since memory grows in proportion. For texts that are kept it grows in larger
            // steps.
            let isGood = filling == .accounts || filling == .identities
            let text = filling.text(PolicyFile.maximumSize / (isGood ? 4 : 12))
            try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .ascii)
            let before = Self.peak
            let set = try? PolicySet(json: text)
            let taken = Self.peak - before
            #expect((set != nil) == isGood)
            #expect(taken <= 8 * text.count, "\(filling): \(Double(taken) / Double(text.count)) of \(text.count)")
        }
    }
    #endif

    @Test("is refused unread if it is longer than 8 MiB") func tooLarge() {
        #expect(PolicyFile.maximumSize == 8 << 20)
        let text = [UInt8](repeating: UInt8(ascii: " "), count: 8 << 20 + 1)
        let error = expect(throws: PolicyError.Code.tooLarge) { try PolicySet(json: text) }
        #expect(error?.message.contains("8388608") == true)
    }
}
#endif
