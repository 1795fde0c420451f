import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityAutomaticMode

/// The effect of MULTI_IDENTITY_AUTOMATIC, in a restart of this program.
enum EnvironmentCases {
    static let argument = "what-holds"

    static func check(_ cases: inout Cases) async {
        let expected = [
            (nil, "ada@contoso.com is kept"), ("on", "ada@contoso.com is kept"), ("marked", "ada@contoso.com is kept"),
            ("only-shown", "ada@contoso.com is only shown"), ("off", "nothing is bound; off"),
            ("only_shown", "nothing is bound; not active"),
        ]
        for (value, answer) in expected {
            await cases.check("MULTI_IDENTITY_AUTOMATIC=\(value ?? ""): \(answer)") {
                let output = try output(value)
                if !output.split(separator: "\n").contains(answer[...]) { throw Difference(description: output) }
                // A typo is refused with a message, and never taken for another value.
                if value == "only_shown", !output.contains(#"MULTI_IDENTITY_AUTOMATIC is "only_shown""#) {
                    throw Difference(description: output)
                }
            }
        }
    }

    /// Prints which identity a closure on a queue has, and whether it may decide.
    static func showWhatHolds() async {
        let status = AutomaticMode.status
        let (current, required) = await withCheckedContinuation { found in
            withIdentity(try? Identity("ada@contoso.com")) {
                DispatchQueue.global().async { found.resume(returning: (Identity.current, try? Identity.required())) }
            }
        }
        guard let current else {
            return print("nothing is bound; \(status == .off ? "off" : "not active")")
        }
        print("\(current) is \(required == nil ? "only shown" : "kept")")
    }

    private static func output(_ value: String?) throws -> String {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = Bundle.main.executableURL
        process.arguments = [argument]
        process.environment = ProcessInfo.processInfo.environment
        process.environment?["MULTI_IDENTITY_AUTOMATIC"] = value
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
