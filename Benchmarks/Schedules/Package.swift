// swift-tools-version: 6.2
import PackageDescription

var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
if Context.environment["MULTI_IDENTITY_CHECKED"] != nil { settings.append(.treatAllWarnings(as: .error)) }

// The package's own tests see what is for their package alone: so they are compiled as part of it, by the name that SwiftPM gives
// it, which is its folder's.
let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last ?? ""
let packageName = String(folder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
let coreSettings =
    settings + [.enableUpcomingFeature("InferIsolatedConformances"), .unsafeFlags(["-package-name", packageName])]

let scheduling: Target.Dependency = .product(name: "MultiIdentityScheduling", package: "swift-multi-identity")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

// The package's own tests, as they are, each case of which runs under many schedules: `Rule.swift` has that done.
let coreTests: [Target] = [
    .testTarget(
        name: "CoreTests",
        dependencies: [
            scheduling,
            .product(name: "MultiIdentity", package: "swift-multi-identity"),
            .product(name: "MultiIdentityDoctor", package: "swift-multi-identity"),
            .product(name: "MultiIdentityTesting", package: "swift-multi-identity"),
        ],
        exclude: [
            "Tests/Rule.swift", "Tests/Boundaries/Boundary+Catalogue.swift",
            // Nothing of theirs is handed over.
            "Tests/Identity", "Tests/Construction",
            // In processes of their own.
            "Tests/Binding/CopiedBindingsTests.swift", "Tests/Revoking/RevocationSwitchTests.swift",
            "Tests/Peers/AllocationBudgetTests.swift",
            // DispatchIO.
            "Tests/Boundaries/ChannelTests.swift",
            // Released by libdispatch itself.
            "Tests/Boundaries/DeallocatorTests.swift",
            // Take minutes: of thousands of pieces, or of a thousand cases.
            "Tests/Boundaries/Batches/BatchOrderTests.swift", "Tests/Boundaries/Batches/BatchSuspensionTests.swift",
            "Tests/Boundaries/HandedOverWorkTests.swift", "Tests/Peers/ThreadsAfterwardsTests.swift",
            "Tests/Boundaries/DetachedOrderTests.swift", "Tests/Revoking/OneShotWorkTests.swift",
        ],
        packageAccess: false,
        swiftSettings: coreSettings
    ),
    .testTarget(
        name: "FoundationTests",
        dependencies: [
            scheduling,
            .product(name: "MultiIdentity", package: "swift-multi-identity"),
            .product(name: "MultiIdentityFoundation", package: "swift-multi-identity"),
            .product(name: "MultiIdentityDoctor", package: "swift-multi-identity"),
        ],
        exclude: [
            "Tests/Rule.swift", "Tests/RefusedOperationTests.swift",
            // In processes of their own.
            "Tests/OperationInTwoQueuesTests.swift",
            // Looks again and again until some time has passed, which it never does meanwhile.
            "Tests/OperationLifetimeTests.swift", "Tests/WaitingOperationTests.swift",
            // One of its operations finishes on a thread that no schedule controls, of which the cause is not known yet.
            "Tests/OperationsAtOnceTests.swift",
            // Run loops, processes and files.
            "Tests/Boundaries", "Tests/FileHandleTests.swift", "Tests/ProcessTests.swift", "Tests/RunLoopTests.swift",
            "Tests/NotificationTests.swift",
            "Tests/TimerTests.swift", "Tests/Support/ReachableTimers.swift", "Tests/RevokedGivenWorkTests.swift",
        ],
        packageAccess: false,
        swiftSettings: coreSettings
    ),
    .testTarget(
        name: "LeaseTests",
        dependencies: [
            scheduling,
            .product(name: "MultiIdentity", package: "swift-multi-identity"),
            .product(name: "MultiIdentityLease", package: "swift-multi-identity"),
            .product(name: "MultiIdentityCarriers", package: "swift-multi-identity"),
            .product(name: "MultiIdentityTesting", package: "swift-multi-identity"),
        ],
        exclude: [
            "Tests/Rule.swift",
            // Looks again and again until some time has passed, which it never does meanwhile.
            "Tests/Leasing/AttackedLeaseTests.swift", "Tests/Promises/PoolPromiseTests.swift",
        ],
        packageAccess: false,
        swiftSettings: coreSettings
    ),
]

let package = Package(
    name: "swift-multi-identity-schedules",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-multi-identity", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // Programs to be run under many schedules; they know nothing of the product that runs them. Some of them are links to the
        // example's. Those with libraries of others stand apart, so that what needs none does not build them.
        .target(
            name: "Programs",
            dependencies: [
                .product(name: "MultiIdentity", package: "swift-multi-identity"),
                .product(name: "MultiIdentityFoundation", package: "swift-multi-identity"),
                .product(name: "MultiIdentityLease", package: "swift-multi-identity"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "LibraryPrograms",
            dependencies: [
                "Programs",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
            ],
            swiftSettings: settings
        ),
        // Prints a number for the steps of each seed, or how many schedules a second there are.
        .executableTarget(
            name: "schedule-runs",
            dependencies: [
                "Programs", "LibraryPrograms", scheduling, arguments, .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings
        ),
        // Looks for a schedule under which one of the programs breaks a promise.
        .executableTarget(
            name: "schedule-promises",
            dependencies: [
                "Programs", scheduling, arguments,
                .product(name: "MultiIdentity", package: "swift-multi-identity"),
            ],
            swiftSettings: settings
        ),
        // Prints traces of drawn programs, for the models.
        .executableTarget(
            name: "model-traces",
            dependencies: [
                scheduling, arguments,
                .product(name: "MultiIdentity", package: "swift-multi-identity"),
                .product(name: "MultiIdentityFiles", package: "swift-multi-identity"),
                .product(name: "MultiIdentityPolicy", package: "swift-multi-identity"),
                .product(name: "MultiIdentityProtection", package: "swift-multi-identity"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SchedulingTests",
            dependencies: [
                "Programs", scheduling,
                .product(name: "MultiIdentity", package: "swift-multi-identity"),
                .product(name: "MultiIdentityFoundation", package: "swift-multi-identity"),
                .product(name: "MultiIdentityDoctor", package: "swift-multi-identity"),
            ],
            swiftSettings: settings
        ),
    ] + coreTests,
    swiftLanguageModes: [.v6]
)
