import MultiIdentity
public import MultiIdentityPolicy

extension IdentitySettings {
    /// The policies for tests, where ``IdentitySetting/testPolicies`` names a file of them; `nil` where it names none.
    ///
    /// ```swift
    /// let policies: any PolicySource = try settings.testPolicyFile() ?? PolicyFile("/etc/tenants/policies.json")
    /// ```
    ///
    /// - Parameter onProblem: Called once for each later state of the file that cannot be put into force.
    /// - Returns: The file, which is watched.
    /// - Throws: ``IdentitySettingsError`` where it cannot be put into force, and in a release build not set to take it.
    public func testPolicyFile(
        onProblem: @escaping @Sendable (PolicyFileError) -> Void = { _ in }
    ) throws(IdentitySettingsError) -> PolicyFile? {
        #if DEBUG
        try testPolicyFile(isRelease: false, onProblem)
        #else
        try testPolicyFile(isRelease: true, onProblem)
        #endif
    }

    package func testPolicyFile(
        isRelease: Bool,
        _ onProblem: @escaping @Sendable (PolicyFileError) -> Void = { _ in }
    ) throws(IdentitySettingsError) -> PolicyFile? {
        guard let path = text(.testPolicies) else { return nil }
        if isRelease, !isOn(.allowsTestPolicies) {
            throw IdentitySettingsError(
                .testPoliciesInRelease,
                "\(path) has policies for tests, and this is a release build. Take \(IdentitySetting.testPolicies) out, or set \(IdentitySetting.allowsTestPolicies)."
            )
        }
        do throws(PolicyFileError) { return try PolicyFile(path, onProblem: onProblem) } catch {
            throw IdentitySettingsError(.unreadableFile, "\(path): \(error.message)")
        }
    }
}
