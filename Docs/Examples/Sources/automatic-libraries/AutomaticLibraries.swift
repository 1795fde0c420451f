import Foundation
import MultiIdentity
import MultiIdentityAutomaticMode
import Synchronization

/// Checks unmodified libraries, with automatic mode on and off, every plain boundary, and further promises of automatic mode.
///
/// It prints a line for each case, and exits with 1 if one fails. It is one program without tests, since automatic mode
/// replaces entry points of libdispatch for the whole process.
@main enum AutomaticLibraries {
    static func main() async {
        if CommandLine.arguments.last == EnvironmentCases.argument { return await EnvironmentCases.showWhatHolds() }
        // Not on main, whose queue is one of the checked ones.
        exit(await Task.detached { await checkAll() }.value)
    }

    private static func checkAll() async -> Int32 {
        var cases = Cases()
        await TaskCases.check(&cases)  // before other cases leave timers and threads that work
        await FoundationCases.check(&cases)  // before other cases turn features on that always capture items
        await SwitchCases.check(&cases)
        await BoundaryCases.check(&cases)
        await InferenceCases.check(&cases)
        await RevocationCases.check(&cases)
        await HandOverCases.check(&cases)
        await SessionCases.check(&cases)
        await PlainHopCases.check(&cases)
        await EnvironmentCases.check(&cases)
        print("\(cases.passed) cases passed, \(cases.failed) failed")
        return cases.failed == 0 ? 0 : 1
    }
}

/// Runs cases one after another: the switch that some of them use is the process's.
struct Cases {
    private(set) var passed = 0
    private(set) var failed = 0

    /// Runs one case, and prints its name and any difference.
    mutating func check(_ name: String, _ body: () async throws -> Void) async {
        do {
            try await body()
            passed += 1
            print("ok     \(name)")
        } catch {
            failed += 1
            print("WRONG  \(name): \(error)")
        }
    }
}

/// A difference between what was found and what was expected.
struct Difference: Error, CustomStringConvertible {
    let description: String
}

/// Throws if two values differ.
func expect<Value: Equatable>(_ found: Value, _ expected: Value, line: UInt = #line) throws {
    if found != expected { throw Difference(description: "\(found) rather than \(expected), line \(line)") }
}

/// Runs `body` with automatic mode turned off.
func turnedOff<Value>(_ body: () async throws -> Value) async throws -> Value {
    AutomaticMode.turnOff()
    let result: Result<Value, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    try AutomaticMode.turnOn()
    return try result.get()
}

/// Values that work on any thread records.
final class Notes<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { values.withLock { $0 } }

    func add(_ value: Value) { values.withLock { $0.append(value) } }
}
