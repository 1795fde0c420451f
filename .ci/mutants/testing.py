# The kit that adopters test with: it has to find fault.

mutant(
    "identity-trait-binds-nothing",
    "A test with the identity trait runs with nothing bound.",
    "IdentityTraitTests|IdentitySuiteTests|LevelsSuiteTests|LevelsTraitTests",
    "Sources/MultiIdentityTesting/Traits/IdentityTrait.swift",
    "try await withIdentity(identity, function)",
    "try await function()",
)
mutant(
    "levels-trait-shares-levels",
    "A test with levels of its own runs under the shared ones.",
    "LevelsTraitTests|LevelsSuiteTests", "Sources/MultiIdentityTesting/Traits/IdentityLevelsTrait.swift",
    "try await withIdentityLevels(IdentityLevels(process: process, ui: ui, mainProbe: mainProbe), function)",
    "try await function()",
)
mutant(
    "every-promise-kept",
    "A promise is said to be kept without a look at the boundary.",
    "BrokenPromiseTests", "Sources/MultiIdentityTesting/Conformance/BoundaryPromise+Check.swift",
    "            try await check.run()\n",
    "",
)
