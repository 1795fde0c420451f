import ArgumentParser
import Foundation
import Synchronization

/// Automatic mode, which only a program has that is linked with it.
public struct AutomaticMode: Sendable {
    /// Throws where plain calls do not carry.
    let require: @Sendable () throws -> Void
    let turnOff: @Sendable () -> Void

    /// Takes what a program that is linked with automatic mode can do.
    ///
    /// - Parameters:
    ///   - require: Throws where plain calls do not carry.
    ///   - turnOff: Has them carry no more.
    public init(require: @escaping @Sendable () throws -> Void, turnOff: @escaping @Sendable () -> Void) {
        self.require = require
        self.turnOff = turnOff
    }

    private static let linked = Mutex<AutomaticMode?>(nil)

    /// Says that this program is linked with it.
    public static func isLinked(as mode: AutomaticMode) { linked.withLock { $0 = mode } }

    /// Goes on with automatic mode, in the program beside this one where this one is not linked with it.
    static func begin(isSabotaged: Bool) throws {
        guard let mode = linked.withLock({ $0 }) else { throw replaceProgram() }
        try mode.require()
        if isSabotaged { mode.turnOff() }
    }

    /// Only returns where that cannot be done.
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
