// swift-tools-version: 6.2
import PackageDescription

var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
if Context.environment["MULTI_IDENTITY_CHECKED"] != nil { settings.append(.treatAllWarnings(as: .error)) }

let core: Target.Dependency = .product(name: "MultiIdentity", package: "swift-multi-identity")
let scheduling: Target.Dependency = .product(name: "MultiIdentityScheduling", package: "swift-multi-identity")
let database: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")

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
        .target(name: "Programs", dependencies: [core], swiftSettings: settings),
        .target(
            name: "LibraryPrograms",
            dependencies: [
                "Programs", database,
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ScheduledTests",
            dependencies: ["Programs", "LibraryPrograms", scheduling, core, database],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
