#if canImport(Testing)
public import MultiIdentity
public import Testing

/// Gives each test case process and UI levels of its own, which start as the trait says.
///
/// On a suite it holds for every test in it, and for those of suites in it; each test case gets new levels, so that they
/// run in parallel. The trait of an inner suite or of a test replaces that of the outer one.
public struct IdentityLevelsTrait: TestTrait, SuiteTrait, TestScoping {
    let process: Identity?
    let ui: Identity?
    let mainProbe: (@Sendable () -> Bool)?

    /// `true`: a suite's trait holds for all that is in the suite.
    public var isRecursive: Bool { true }

    /// Runs a test case under new levels.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The test case.
    ///   - function: What runs it.
    /// - Throws: What `function` throws.
    @concurrent
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withIdentityLevels(IdentityLevels(process: process, ui: ui, mainProbe: mainProbe), function)
    }
}

extension Trait where Self == IdentityLevelsTrait {
    /// Levels of its own for each test case: what one sets, no other sees, and neither does the process.
    ///
    /// ```swift
    /// @Test(.identityLevels(process: ada)) func opensFiles() throws { … }
    /// ```
    ///
    /// The levels travel with the thread level across every boundary. The thread level itself stays as it is.
    ///
    /// - Parameters:
    ///   - process: What the process level holds at first.
    ///   - ui: What the UI level holds at first.
    ///   - mainProbe: Returns whether the code that calls it, under these levels, runs on main; `nil` for main as the system
    ///     has it.
    /// - Returns: The trait.
    public static func identityLevels(
        process: Identity? = nil,
        ui: Identity? = nil,
        mainProbe: (@Sendable () -> Bool)? = nil
    ) -> Self {
        IdentityLevelsTrait(process: process, ui: ui, mainProbe: mainProbe)
    }
}
#endif
