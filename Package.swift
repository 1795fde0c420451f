// swift-tools-version: 6.2
import PackageDescription

/// One list for every target, each line with its reason.
let settings: [SwiftSetting] = [
    // Each public type says whether it is Sendable. By the trait, since Swift 6.2 does not know this group of warnings.
    .treatWarning("ExplicitSendable", as: .error, .when(traits: ["Strict"])),
    .enableUpcomingFeature("ExistentialAny"),  // a box shows at the place where it costs
    .enableUpcomingFeature("InternalImportsByDefault"),  // what an interface exposes is said at the import
    .enableUpcomingFeature("MemberImportVisibility"),  // a file names what it uses
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461: async code stays on its caller's actor
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .treatAllWarnings(as: .error, .when(traits: ["Strict"])),
]

/// A plugin that generates a target's file of hops.
func hopsPlugin(_ name: String) -> Target {
    .plugin(
        name: name,
        capability: .buildTool(),
        dependencies: ["carry-identity"],
        path: "Sources/CarryIdentity/\(name)"
    )
}

let package = Package(
    name: "swift-multi-identity",
    // The first with `Mutex` and `Atomic`; see Docs/Decisions for why it stands here and not at each declaration.
    // Not watchOS: half of what it runs on has words of 32 bits (Sources/CMultiIdentity/include/Word.h).
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
    products: [
        .library(name: "MultiIdentity", targets: ["MultiIdentity"]),
        .library(name: "MultiIdentityDiagnostics", targets: ["MultiIdentityDiagnostics"]),
        .library(name: "MultiIdentityFoundation", targets: ["MultiIdentityFoundation"]),
        .library(name: "MultiIdentityNetworking", targets: ["MultiIdentityNetworking"]),
        .library(name: "MultiIdentityCarriers", targets: ["MultiIdentityCarriers"]),
        .library(name: "MultiIdentityLease", targets: ["MultiIdentityLease"]),
        .library(name: "MultiIdentityPolicy", targets: ["MultiIdentityPolicy"]),
        .library(name: "MultiIdentityFiles", targets: ["MultiIdentityFiles"]),
        .library(name: "MultiIdentityProtection", targets: ["MultiIdentityProtection"]),
        .library(name: "MultiIdentityManagement", targets: ["MultiIdentityManagement"]),
        .library(name: "MultiIdentityAutomaticMode", targets: ["MultiIdentityAutomaticMode"]),
        .library(name: "MultiIdentityDoctor", targets: ["MultiIdentityDoctor"]),
        .library(name: "MultiIdentityTesting", targets: ["MultiIdentityTesting"]),
        .library(name: "MultiIdentityScheduling", targets: ["MultiIdentityScheduling"]),
        // Of its own, since a program's symbols are not dynamic ones, and profilers find a thread's context by a dynamic symbol.
        .library(name: "MultiIdentityThreadContext", type: .dynamic, targets: ["MultiIdentityThreadContext"]),
        .library(name: "MultiIdentityBenchmarking", targets: ["MultiIdentityBenchmarking"]),
        .plugin(name: "CarryIdentity", targets: ["CarryIdentity"]),
        .plugin(name: "WarnPlainHops", targets: ["WarnPlainHops"]),
        .plugin(name: "CountPlainHops", targets: ["CountPlainHops"]),
    ],
    // Off unless this package's own checks ask for it, so that a newer compiler's new warning breaks no adopter's build.
    traits: [.trait(name: "Strict", description: "Warnings are errors: for this repository's checks.")],
    targets: [
        .target(name: "CMultiIdentity"),
        .target(name: "MultiIdentityThreadContext"),
        .target(name: "MultiIdentity", dependencies: ["CMultiIdentity"], swiftSettings: settings),
        // The public face of what the core finds, counts and records; the core itself never calls it, except as its user asked.
        .target(name: "MultiIdentityDiagnostics", dependencies: ["MultiIdentity"], swiftSettings: settings),
        // The table of libdispatch's entry points, its loader, and those that make a work item: for Foundation's operations,
        // automatic mode and the scheduler. A program has one definition of a name, so it links one of the latter two at most.
        .target(name: "CDispatchEntries", dependencies: ["CMultiIdentity"]),
        .target(
            name: "MultiIdentityFoundation",
            dependencies: ["MultiIdentity", "CMultiIdentity", "CDispatchEntries"],
            swiftSettings: settings
        ),
        // URLSession alone, since on Linux its module brings some thirty shared libraries along.
        .target(name: "MultiIdentityNetworking", dependencies: ["MultiIdentity"], swiftSettings: settings),
        .target(
            name: "MultiIdentityCarriers",
            dependencies: ["MultiIdentity", "CMultiIdentity"],
            swiftSettings: settings
        ),
        .target(
            name: "MultiIdentityLease",
            dependencies: ["MultiIdentity", "CMultiIdentity"],
            swiftSettings: settings
        ),
        // System calls as one set for all platforms, and the C library's names, whichever library it is.
        .target(name: "CSystemCalls"),
        .target(
            name: "MultiIdentityPolicy",
            dependencies: ["MultiIdentity", "CSystemCalls"],
            swiftSettings: settings
        ),
        .target(
            name: "MultiIdentityFiles",
            dependencies: ["MultiIdentity", "MultiIdentityPolicy", "CSystemCalls"],
            swiftSettings: settings
        ),
        // The system's cryptographic library, for programs that protect data. By its file's name (`-l:`), which is there where
        // the library is; the name without a version comes with the headers, which nothing here needs.
        .target(
            name: "CMultiIdentityCrypto",
            linkerSettings: [.linkedLibrary(":libcrypto.so.3", .when(platforms: [.linux]))]
        ),
        .target(
            name: "MultiIdentityProtection",
            dependencies: [
                "MultiIdentity", "MultiIdentityPolicy", "MultiIdentityFiles", "CSystemCalls",
                "CMultiIdentityCrypto",
            ],
            swiftSettings: settings
        ),
        // The system's SQLite, for programs that manage accounts; by its file's name too.
        .target(
            name: "CMultiIdentitySQLite",
            linkerSettings: [
                .linkedLibrary(":libsqlite3.so.0", .when(platforms: [.linux])),
                .linkedLibrary("sqlite3", .when(platforms: [.macOS, .iOS, .tvOS, .visionOS])),
            ]
        ),
        .target(
            name: "MultiIdentityManagement",
            dependencies: ["MultiIdentity", "MultiIdentityPolicy", "CSystemCalls", "CMultiIdentitySQLite"],
            swiftSettings: settings
        ),
        // Takes the place of libdispatch's entry points in every program that it is linked with.
        .target(name: "CMultiIdentityAutomaticMode", dependencies: ["CMultiIdentity", "CDispatchEntries"]),
        .target(
            name: "MultiIdentityAutomaticMode",
            dependencies: ["MultiIdentity", "CMultiIdentity", "CMultiIdentityAutomaticMode"],
            swiftSettings: settings
        ),
        // Has the catalogue of boundaries, which this repository's tests and other packages see by `@_spi` and `package`.
        .target(
            name: "MultiIdentityDoctor",
            dependencies: ["MultiIdentity", "MultiIdentityFoundation", "MultiIdentityNetworking"],
            swiftSettings: settings
        ),
        .target(name: "MultiIdentityTesting", dependencies: ["MultiIdentity"], swiftSettings: settings),
        // Decides, in tests, what runs next: it takes the place of libdispatch's entry points too, and so goes with no automatic mode.
        .target(name: "CMultiIdentityScheduling", dependencies: ["CMultiIdentity", "CDispatchEntries"]),
        .target(
            name: "MultiIdentityScheduling",
            dependencies: ["MultiIdentity", "CMultiIdentityScheduling"],
            swiftSettings: settings
        ),
        // Not even the core: it measures whatever hands work over. Nor the overlay of the C library, which would link its rounding.
        .target(
            name: "MultiIdentityBenchmarking",
            swiftSettings: settings,
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]
        ),
        // Makes every hop of a target carry, by a file that the plugin generates into it.
        .target(name: "CarriedHopsGenerator", path: "Sources/CarryIdentity/Generator", swiftSettings: settings),
        .executableTarget(
            name: "carry-identity",
            dependencies: ["CarriedHopsGenerator"],
            path: "Sources/CarryIdentity/Tool",
            swiftSettings: settings
        ),
        hopsPlugin("CarryIdentity"),
        hopsPlugin("WarnPlainHops"),
        // Counts the hops of a whole package that carry no identity by themselves.
        .target(
            name: "PlainHopsCount",
            dependencies: ["CarriedHopsGenerator"],
            path: "Sources/CarryIdentity/Count",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "plain-hops",
            dependencies: ["PlainHopsCount"],
            path: "Sources/CarryIdentity/CountTool",
            swiftSettings: settings
        ),
        // It asks for no permission, since only what is asked for by `--fix`, `--output` or `--write-baseline` is written.
        .plugin(
            name: "CountPlainHops",
            capability: .command(
                intent: .custom(
                    verb: "plain-hops",
                    description: "Counts the hops that carry no identity by themselves."
                )
            ),
            dependencies: ["plain-hops"],
            path: "Sources/CarryIdentity/CountPlainHops"
        ),
        // What several modules of tests share, and the marks by which they name rules.
        .target(
            name: "MultiIdentityTestSupport",
            dependencies: ["MultiIdentity"],
            path: "Tests/MultiIdentityTestSupport",
            swiftSettings: settings
        ),
        .testTarget(
            name: "MultiIdentityTests",
            dependencies: [
                "MultiIdentity", "MultiIdentityDiagnostics", "MultiIdentityTesting", "MultiIdentityDoctor",
                "MultiIdentityThreadContext",
            ],
            swiftSettings: settings,
            // The independent implementation that caseless matching is checked against; its module names no library.
            linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]
        ),
        .testTarget(
            name: "MultiIdentityFoundationTests",
            dependencies: ["MultiIdentityFoundation", "MultiIdentity", "MultiIdentityDoctor"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "MultiIdentityNetworkingTests",
            dependencies: ["MultiIdentityNetworking", "MultiIdentity"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "MultiIdentityCarriersTests",
            dependencies: [
                "MultiIdentityCarriers", "MultiIdentity", "MultiIdentityDiagnostics", "MultiIdentityTesting",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "MultiIdentityLeaseTests",
            dependencies: ["MultiIdentityLease", "MultiIdentityCarriers", "MultiIdentityTesting", "MultiIdentity"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "MultiIdentityPolicyTests",
            dependencies: [
                "MultiIdentityPolicy", "MultiIdentityFiles", "MultiIdentityProtection", "MultiIdentity",
                "MultiIdentityDiagnostics", "MultiIdentityTesting",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "MultiIdentityManagementTests",
            dependencies: [
                "MultiIdentityManagement", "MultiIdentityPolicy", "MultiIdentityFiles", "MultiIdentityProtection",
                "MultiIdentityCarriers", "MultiIdentity", "MultiIdentityTesting", "CSystemCalls",
                "CMultiIdentitySQLite",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "MultiIdentityDoctorTests",
            dependencies: ["MultiIdentityDoctor", "MultiIdentityTesting", "MultiIdentity"],
            swiftSettings: settings
        ),
        // The same legacy code without the plugin, and with it; and the doctor's sources with it (`Doctor` is a symbolic link).
        .target(name: "PlainHops", path: "Tests/PlainHops", swiftSettings: settings),
        .target(
            name: "CarriedHops",
            dependencies: ["MultiIdentityFoundation"],
            path: "Tests/CarriedHops",
            swiftSettings: settings,
            plugins: ["CarryIdentity"]
        ),
        .testTarget(
            name: "CarryIdentityTests",
            dependencies: [
                "CarriedHopsGenerator", "PlainHopsCount", "PlainHops", "CarriedHops", "MultiIdentity",
                "MultiIdentityDiagnostics", "MultiIdentityFoundation",
                "MultiIdentityNetworking",
            ],
            exclude: ["Doctor/MultiIdentityDoctor.docc"],
            swiftSettings: settings,
            plugins: ["CarryIdentity"]
        ),
        .testTarget(
            name: "MultiIdentityTestingTests",
            dependencies: ["MultiIdentityTesting", "MultiIdentity"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "MultiIdentityBenchmarkingTests",
            dependencies: ["MultiIdentityBenchmarking"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .plugin {
    target.cSettings = [.treatAllWarnings(as: .error, .when(traits: ["Strict"]))]
    if target.type == .test { target.dependencies.append("MultiIdentityTestSupport") }
}
