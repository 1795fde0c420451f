#if canImport(Testing)
public import MultiIdentity
public import Testing

/// Runs each test case as an identity.
///
/// On a suite, it applies to every test in it, including nested suites. The trait of a nested suite or of a test is an
/// inner scope, and wins.
public struct IdentityTrait: TestTrait, SuiteTrait, TestScoping {
    let identity: Result<Identity?, IdentityError>

    /// `true`: a suite's trait applies to everything in the suite.
    public var isRecursive: Bool { true }

    /// Runs a test case as the identity.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The test case.
    ///   - function: Runs the test case.
    /// - Throws: The errors of `function`; `IdentityError` if the trait's name is invalid.
    @concurrent
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withIdentity(identity.get(), function)
    }
}

extension Trait where Self == IdentityTrait {
    /// Binds the thread level for each test case.
    ///
    /// ```swift
    /// @Test(.identity(ada)) func savesTheDraft() async throws { … }
    /// ```
    ///
    /// - Parameter identity: The identity of the test; `Identity.nobody` for nobody; `nil` unsets what a
    ///   suite's trait has bound.
    /// - Returns: The trait.
    public static func identity(_ identity: Identity?) -> Self { IdentityTrait(identity: .success(identity)) }

    /// Binds the thread level for each test case, by name: `.identity(named: "ada@contoso.com")`.
    ///
    /// - Parameter name: The name of the identity that the test runs as. If it breaks a rule of names, the test fails and says
    ///   which.
    /// - Returns: The trait.
    public static func identity(named name: String) -> Self {
        IdentityTrait(identity: Result { () throws(IdentityError) in try Identity(name) })
    }
}
#endif
