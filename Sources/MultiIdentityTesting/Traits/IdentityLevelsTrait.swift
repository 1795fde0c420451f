#if canImport(Testing)
public import MultiIdentity
public import Testing

/// Gives each test case its own process and UI levels, which start as the trait says.
///
/// On a suite, it applies to every test in it, including nested suites; each test case gets new levels, so tests can
/// run in parallel. The trait of a nested suite or of a test replaces the outer one.
public struct IdentityLevelsTrait: TestTrait, SuiteTrait, TestScoping {
    let process: @Sendable () throws -> Identity?
    let ui: @Sendable () throws -> Identity?
    let mainProbe: (@Sendable () -> Bool)?

    /// `true`: a suite's trait applies to everything in the suite.
    public var isRecursive: Bool { true }

    /// Runs a test case under new levels.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The test case.
    ///   - function: Runs the test case.
    /// - Throws: The errors of `function`, and of the trait's arguments.
    @concurrent
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withIdentityLevels(IdentityLevels(process: process(), ui: ui(), mainProbe: mainProbe), function)
    }
}

extension Trait where Self == IdentityLevelsTrait {
    /// Gives each test case its own levels, invisible to other tests and to the rest of the process.
    ///
    /// ```swift
    /// @Test(.identityLevels(process: try Identity("ada@contoso.com"))) func opensFiles() throws { … }
    /// ```
    ///
    /// The levels travel with the thread level across every boundary. The thread level itself stays as it is.
    ///
    /// - Parameters:
    ///   - process: The initial process level. If it throws, the test fails with that error.
    ///   - ui: The initial UI level; an error fails the test too.
    ///   - mainProbe: Returns whether the calling code, under these levels, runs on main; `nil` for the system's main.
    /// - Returns: The trait.
    public static func identityLevels(
        process: @autoclosure @escaping @Sendable () throws -> Identity? = nil,
        ui: @autoclosure @escaping @Sendable () throws -> Identity? = nil,
        mainProbe: (@Sendable () -> Bool)? = nil
    ) -> Self {
        IdentityLevelsTrait(process: process, ui: ui, mainProbe: mainProbe)
    }
}
#endif
