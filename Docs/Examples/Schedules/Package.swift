// swift-tools-version: 6.2
import PackageDescription

var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
if Context.environment["MULTI_IDENTITY_CHECKED"] != nil { settings.append(.treatAllWarnings(as: .error)) }

let scheduling: Target.Dependency = .product(name: "MultiIdentityScheduling", package: "swift-multi-identity")

let package = Package(
    name: "schedules",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-multi-identity", path: "../../.."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // Programs to be run under many schedules; they know nothing of the product that runs them. Those with libraries of others
        // stand apart, so that what needs none does not build them.
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
            dependencies: ["Programs", "LibraryPrograms", scheduling],
            swiftSettings: settings
        ),
        // Looks for a schedule under which one of the programs breaks a promise.
        .executableTarget(
            name: "schedule-promises",
            dependencies: [
                "Programs", scheduling, .product(name: "MultiIdentity", package: "swift-multi-identity"),
            ],
            swiftSettings: settings
        ),
        // Prints traces of drawn programs, for the models.
        .executableTarget(
            name: "model-traces",
            dependencies: [
                scheduling,
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
                "Programs", "LibraryPrograms", scheduling,
                .product(name: "MultiIdentity", package: "swift-multi-identity"),
                .product(name: "MultiIdentityFoundation", package: "swift-multi-identity"),
                .product(name: "MultiIdentityDoctor", package: "swift-multi-identity"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
