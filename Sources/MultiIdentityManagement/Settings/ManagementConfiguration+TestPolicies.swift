import MultiIdentity
public import MultiIdentityPolicy

extension ManagementConfiguration {
    /// Opens the policy file that ``testPolicies`` names, for tests; returns `nil` if it names none.
    ///
    /// ```swift
    /// let policies: any PolicySource = try configuration.testPolicyFile() ?? PolicyFile("/etc/tenants/policies.json")
    /// ```
    ///
    /// - Parameter onProblem: Called once for each later version of the file that cannot be put into force.
    /// - Returns: The file, which is watched.
    /// - Throws: ``ManagementError`` if the file cannot be put into force, and in a release build that does not allow
    ///   it.
    public func testPolicyFile(
        onProblem: @escaping @Sendable (PolicyError) -> Void = { _ in }
    ) throws(ManagementError) -> PolicyFile? {
        #if DEBUG
        try testPolicyFile(isRelease: false, onProblem)
        #else
        try testPolicyFile(isRelease: true, onProblem)
        #endif
    }

    package func testPolicyFile(
        isRelease: Bool,
        _ onProblem: @escaping @Sendable (PolicyError) -> Void = { _ in }
    ) throws(ManagementError) -> PolicyFile? {
        guard let path = testPolicies else { return nil }
        if isRelease, !allowsTestPolicies {
            throw ManagementError(
                .testPoliciesInRelease,
                "\(path) has test policies, but this is a release build. Remove testPolicies, or set allowsTestPolicies."
            )
        }
        do { return try PolicyFile(path, onProblem: onProblem) } catch {
            throw ManagementError(.unreadableFile, "\(path): \(error.message)")
        }
    }
}
