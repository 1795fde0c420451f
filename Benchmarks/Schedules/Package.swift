// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),  // nothing depends on this package
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// The root package's own tests use `package` declarations, so they are compiled as part of it, under the name that SwiftPM
// gives it, which is its folder's.
let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last ?? ""
let packageName = String(folder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
let coreSettings =
    settings + [.enableUpcomingFeature("InferIsolatedConformances"), .unsafeFlags(["-package-name", packageName])]

/// A product of the root package.
func multiIdentity(_ suffix: String = "") -> Target.Dependency {
    .product(name: "MultiIdentity\(suffix)", package: "swift-multi-identity")
}

/// The root package's own tests, which `run` copies into this folder.
func ownTests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(
        name: name,
        dependencies: ["ScheduledTestSupport", multiIdentity()] + dependencies,
        packageAccess: false,
        swiftSettings: coreSettings + [
            .unsafeFlags(["-module-alias", "MultiIdentityTestSupport=ScheduledTestSupport"])
        ]
    )
}

let package = Package(
    name: "swift-multi-identity-schedules",
    platforms: [.macOS(.v15)],
    traits: [.trait(name: "Strict", description: "The root package's warnings are errors too, as .ci/built has it.")],
    dependencies: [
        .package(
            name: "swift-multi-identity",
            path: "../..",
            traits: [.trait(name: "Strict", condition: .when(traits: ["Strict"]))]
        ),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        // Programs to run under many schedules; they do not know the product that runs them. Stand-ins exist only inside the root
        // package, and one of these programs' queues uses them.
        .target(
            name: "Programs",
            dependencies: [
                multiIdentity(), multiIdentity("Diagnostics"), multiIdentity("Foundation"), multiIdentity("Lease"),
            ],
            packageAccess: false,
            swiftSettings: coreSettings
        ),
        // Searches for a schedule under which one of the programs breaks a promise.
        .executableTarget(
            name: "schedule-promises",
            dependencies: [
                "Programs", multiIdentity(), multiIdentity("Scheduling"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SchedulingTests",
            dependencies: [
                "Programs", multiIdentity(), multiIdentity("Foundation"), multiIdentity("Doctor"),
                multiIdentity("Scheduling"), multiIdentity("Testing"),
            ],
            swiftSettings: settings
        ),
        // A replacement for MultiIdentityTestSupport, with which a test that covers a rule runs under many schedules. Under the same
        // name, each of the two packages would recompile it in the folder that they share.
        .target(
            name: "ScheduledTestSupport",
            dependencies: [multiIdentity(), multiIdentity("Scheduling")],
            packageAccess: false,
            swiftSettings: coreSettings
        ),
        ownTests("CoreTests", multiIdentity("Diagnostics"), multiIdentity("Doctor"), multiIdentity("Testing")),
        ownTests("FoundationTests", multiIdentity("Foundation"), multiIdentity("Doctor"), multiIdentity("Testing")),
        ownTests("LeaseTests", multiIdentity("Lease"), multiIdentity("Carriers"), multiIdentity("Testing")),
    ],
    swiftLanguageModes: [.v6]
)
