import ArgumentParser
import Foundation
import Synchronization

/// Automatic mode, for programs that are linked with it.
public struct AutomaticMode: Sendable {
    /// Throws if plain calls do not propagate the identity.
    let require: @Sendable () throws -> Void
    let turnOff: @Sendable () -> Void

    /// Creates automatic mode from two closures of the linked program.
    ///
    /// - Parameters:
    ///   - require: Throws if plain calls do not propagate the identity.
    ///   - turnOff: Stops plain calls from propagating the identity.
    public init(require: @escaping @Sendable () throws -> Void, turnOff: @escaping @Sendable () -> Void) {
        self.require = require
        self.turnOff = turnOff
    }

    private static let linked = Mutex<AutomaticMode?>(nil)

    /// Declares that this program is linked with automatic mode.
    public static func isLinked(as mode: AutomaticMode) { linked.withLock { $0 = mode } }

    /// Continues with automatic mode; a program that is not linked with it is replaced by the program next to it.
    static func begin(isSabotaged: Bool) throws {
        guard let mode = linked.withLock({ $0 }) else { throw replaceProgram() }
        try mode.require()
        if isSabotaged { mode.turnOff() }
    }

    /// Replaces this program, and returns only if that fails.
    private static func replaceProgram() -> any Error {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let program = own.deletingLastPathComponent().appendingPathComponent("identity-stress-automatic").path
        var arguments = ([program] + CommandLine.arguments.dropFirst()).map { strdup($0) } + [nil]
        execv(program, &arguments)
        return ValidationError(
            """
            --automatic needs \(program), which cannot be run: \(String(cString: strerror(errno))). Build it by swift build \
            -c release --package-path Benchmarks --product identity-stress-automatic.
            """
        )
    }
}
