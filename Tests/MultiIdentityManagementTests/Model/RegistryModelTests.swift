import Foundation
import MultiIdentityManagement
import Testing

@Suite("A registry and its model") struct RegistryModelTests {
    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }

    @Test(
        "do the same in any sequence of calls",
        .rule("15.2", "15.3", "15.5", "15.6", "15.10", "15.11", "15.12", "15.14")
    )
    func doTheSame() throws {
        let calls = Self.number("MULTI_IDENTITY_MODEL_CALLS") ?? 2_000
        let first = UInt64(Self.number("MULTI_IDENTITY_MODEL_SEED") ?? 1)
        var (made, seed) = (0, first)
        while made < calls {
            let settings = ModelSettings(seed: seed)
            let list = settings.calls(min(calls - made, settings.length))
            if let difference = try Self.difference(settings, list) {
                let shortest = try Self.shortened(list, settings, to: Self.kind(of: difference))
                let lines = [difference, "The shortest list of calls:"] + shortest.map { "\($0)" }
                let last = try Self.difference(settings, shortest) ?? "it does not repeat"
                Issue.record("\(settings): \((lines + [last]).joined(separator: "\n"))")
                return
            }
            (made, seed) = (made + list.count, seed + 1)
        }
        print("\(made) calls, seeds \(first)..<\(seed)")
    }

    private static func difference(_ settings: ModelSettings, _ calls: [ModelCall]) throws -> String? {
        try ModelWorld(settings).run(calls)
    }

    /// Returns the kind of a difference, without its call, account and process.
    private static func kind(of difference: String) -> String {
        let words = difference.prefix { $0 != "\n" }.split(separator: ": ").dropFirst().joined()
        return String(words.prefix { $0 != "," }.filter { !$0.isNumber })
    }

    /// Returns the calls without those that a difference of this kind does not need.
    private static func shortened(
        _ calls: [ModelCall],
        _ settings: ModelSettings,
        to kind: String
    ) throws -> [ModelCall] {
        var (calls, size) = (calls, calls.count / 2)
        while size > 0 {
            var start = 0
            while start < calls.count {
                var fewer = calls
                fewer.removeSubrange(start..<min(start + size, fewer.count))
                let found = try difference(settings, fewer).map { Self.kind(of: $0) }
                if found == kind { calls = fewer } else { start += size }
            }
            size /= 2
        }
        return calls
    }
}
