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
let carriers: Target.Dependency = .product(name: "MultiIdentityCarriers", package: "swift-multi-identity")
let foundation: Target.Dependency = .product(name: "MultiIdentityFoundation", package: "swift-multi-identity")
let management: Target.Dependency = .product(name: "MultiIdentityManagement", package: "swift-multi-identity")
let managementNetworking: Target.Dependency = .product(
    name: "MultiIdentityManagementNetworking",
    package: "swift-multi-identity"
)
let doctor: Target.Dependency = .product(name: "MultiIdentityDoctor", package: "swift-multi-identity")
let lease: Target.Dependency = .product(name: "MultiIdentityLease", package: "swift-multi-identity")
let policy: Target.Dependency = .product(name: "MultiIdentityPolicy", package: "swift-multi-identity")
let files: Target.Dependency = .product(name: "MultiIdentityFiles", package: "swift-multi-identity")
let protection: Target.Dependency = .product(name: "MultiIdentityProtection", package: "swift-multi-identity")
let testing: Target.Dependency = .product(name: "MultiIdentityTesting", package: "swift-multi-identity")
let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let configuration: Target.Dependency = .product(name: "Configuration", package: "swift-configuration")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let database: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let grpc: Target.Dependency = .product(name: "GRPCCore", package: "grpc-swift-2")
let grpcInProcess: Target.Dependency = .product(name: "GRPCInProcessTransport", package: "grpc-swift-2")
let grpcNetwork: Target.Dependency = .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdTesting: Target.Dependency = .product(name: "HummingbirdTesting", package: "hummingbird")
let inMemoryLogging: Target.Dependency = .product(name: "InMemoryLogging", package: "swift-log")
let jwt: Target.Dependency = .product(name: "JWTKit", package: "jwt-kit")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let coreMetrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let metricsTesting: Target.Dependency = .product(name: "MetricsTestKit", package: "swift-metrics")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let postgreSQL: Target.Dependency = .product(name: "PostgreSQLIdentity", package: "databases")
let databaseServers: Target.Dependency = .product(name: "DatabaseServers", package: "databases")
let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let tracing: Target.Dependency = .product(name: "Tracing", package: "swift-distributed-tracing")

/// One file or three each, which need nothing but the package and what they adapt: copy those that you need.
let adapters: [Target] = [
    .target(name: "HummingbirdIdentity", dependencies: [core, hummingbird]),
    .target(name: "GRPCIdentity", dependencies: [core, carriers, grpc]),
    .target(name: "LoggingIdentity", dependencies: [core, logging]),
    .target(name: "MetricsIdentity", dependencies: [core, metrics]),
    .target(name: "TracingIdentity", dependencies: [core, tracing]),
    .target(name: "ConfigurationIdentity", dependencies: [core, management, policy, configuration]),
    .target(name: "AsyncHTTPTransport", dependencies: [management, asyncHTTPClient, nio, nioHTTP1]),
    .target(name: "ScrubbedLogging", dependencies: [management, logging]),
    .target(name: "TelemetryExport", dependencies: [management, coreMetrics, metrics, tracing]),
]

/// The targets that both processes have.
let common: [Target] = [
    .target(name: "SignedIdentity", dependencies: [core, carriers, crypto]),
    .target(name: "IdentityEnvelope", dependencies: [core, carriers, crypto]),
    .target(name: "IssuerKeys", dependencies: [jwt]),
    .target(name: "SecurityEvents", dependencies: ["IssuerKeys", core, database]),
    .target(
        name: "OpenIDConnect",
        dependencies: ["IssuerKeys", core, management, asyncHTTPClient, crypto, nio, nioHTTP1]
    ),
    .target(
        name: "OpenBaoKeys",
        dependencies: [core, protection, asyncHTTPClient, crypto, nio, nioHTTP1],
        exclude: ["policy.hcl"]
    ),
    .target(
        name: "SCIMUsers",
        dependencies: [core, crypto, database, httpTypes, hummingbird, logging, nio],
        resources: [.embedInCode("schemas.json")]
    ),
    .target(
        name: "LedgerProtocol",
        dependencies: [
            grpc, protobuf, .product(name: "GRPCProtobuf", package: "grpc-swift-protobuf"),
        ],
        exclude: ["ledger.proto"]
    ),
    // What a client of the ledger needs: the server, and the ledger's tests.
    .target(
        name: "LedgerConnection",
        dependencies: ["GRPCIdentity", "LedgerProtocol", core, carriers, grpc, grpcNetwork, lifecycle]
    ),
    .target(
        name: "JobQueue",
        dependencies: ["SignedIdentity", core, database, lifecycle, logging],
        resources: [
            .embedInCode("Schema/jobs.sql"), .embedInCode("Schema/claim.sql"), .embedInCode("Schema/actors.sql"),
        ]
    ),
    // Apart, since it needs libpq: who takes SQLite alone copies without it.
    .target(
        name: "PostgreSQLJobs",
        dependencies: ["JobQueue", lease, postgreSQL, logging],
        resources: [.embedInCode("policies.sql")]
    ),
]

let processes: [Target] = [
    .target(name: "DatabaseOptions", dependencies: [arguments, configuration]),
    .target(
        name: "TenantServer",
        dependencies: [
            "HummingbirdIdentity", "IssuerKeys", "JobQueue", "LedgerConnection", "LedgerProtocol", "MetricsIdentity",
            "OpenIDConnect", "PostgreSQLJobs", "SCIMUsers", "SecurityEvents", "SignedIdentity", asyncHTTPClient,
            nioHTTP1, postgreSQL, core, carriers,
            doctor, foundation, management,
            policy, files,
            protection,
            configuration, database, grpc,
            httpTypes,
            hummingbird, jwt,
            lifecycle, logging, metrics, nio, protobuf,
        ],
        resources: [.embedInCode("Live/live.html"), .embedInCode("Work/notes.sql")]
    ),
    .executableTarget(
        name: "tenant-server",
        dependencies: [
            "DatabaseOptions", "LoggingIdentity", "TenantServer", core, arguments, configuration, hummingbird,
            lifecycle,
            logging, signals,
        ]
    ),
    // A service that policies come from, for trying RemotePolicies and as a beginning of one's own.
    .target(
        name: "PolicyService",
        dependencies: ["IssuerKeys", management, policy, crypto, database, httpTypes, hummingbird, logging, nio],
        resources: [.embedInCode("policies.html")]
    ),
    .executableTarget(
        name: "policy-server",
        dependencies: ["PolicyService", arguments, configuration, crypto, hummingbird, lifecycle, logging, signals]
    ),
    .target(
        name: "LedgerService",
        dependencies: [
            "GRPCIdentity", "JobQueue", "LedgerProtocol", "PostgreSQLJobs", "SignedIdentity", core, carriers, lease,
            configuration, database, grpc, grpcNetwork, lifecycle, logging, postgreSQL, signals,
        ],
        resources: [.embedInCode("Schema/ledger.sql"), .embedInCode("Schema/ledger-postgresql.sql")]
    ),
    .executableTarget(
        name: "ledger",
        dependencies: [
            "DatabaseOptions", "JobQueue", "LedgerService", "LoggingIdentity", "PostgreSQLJobs", arguments, database,
            lifecycle, logging, postgreSQL,
        ]
    ),
]

let tests: [Target] = [
    .testTarget(
        name: "AdaptersTests",
        dependencies: [
            "HummingbirdIdentity", "LoggingIdentity", "MetricsIdentity", "TracingIdentity", core, hummingbird,
            hummingbirdTesting, inMemoryLogging, foundation, logging, metrics, tracing,
            metricsTesting, .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        ]
    ),
    .testTarget(
        name: "ManagementAdaptersTests",
        dependencies: [
            "ConfigurationIdentity", "ScrubbedLogging", "TelemetryExport", configuration, core, management, policy,
            inMemoryLogging, logging, metricsTesting,
            tracing, .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        ]
    ),
    .testTarget(
        name: "TenantServerTests",
        dependencies: [
            "IssuerKeys", "JobQueue", "LoggingIdentity", "SCIMUsers", "SecurityEvents", "SignedIdentity",
            "TenantServer", core, doctor, management,
            protection,
            configuration,
            database, databaseServers, httpTypes, hummingbird, postgreSQL, hummingbirdTesting, inMemoryLogging, jwt,
            logging,
            metricsTesting,
        ]
    ),
    .testTarget(name: "SignedIdentityTests", dependencies: ["SignedIdentity", core, carriers]),
    .testTarget(
        name: "PolicyServiceTests",
        dependencies: [
            "AsyncHTTPTransport", "PolicyService", asyncHTTPClient, core, management, managementNetworking, policy,
            crypto, httpTypes, hummingbird,
            hummingbirdTesting, logging, nio,
        ]
    ),
    .testTarget(name: "SecurityEventsTests", dependencies: ["IssuerKeys", "SecurityEvents", core, database, jwt]),
    .testTarget(
        name: "OpenIDConnectTests",
        dependencies: [
            "IssuerKeys", "OpenIDConnect", core, management, crypto, jwt,
            .product(name: "CryptoExtras", package: "swift-crypto"),
        ]
    ),
    .testTarget(name: "OpenBaoKeysTests", dependencies: ["OpenBaoKeys", core, policy, protection]),
    .testTarget(
        name: "SCIMUsersTests",
        dependencies: [
            "SCIMUsers", core, database, httpTypes, hummingbird, hummingbirdTesting, inMemoryLogging, logging, nio,
        ]
    ),
    .testTarget(
        name: "IdentityEnvelopeTests",
        dependencies: ["IdentityEnvelope", "SignedIdentity", core, carriers]
    ),
    .testTarget(
        name: "GRPCIdentityTests",
        dependencies: [
            "GRPCIdentity", "LedgerProtocol", "SignedIdentity", core, carriers, testing, grpc, grpcInProcess,
        ]
    ),
    .testTarget(
        name: "JobQueueTests",
        dependencies: [
            "JobQueue", "SignedIdentity", core, testing, database, lifecycle, logging,
        ]
    ),
    .testTarget(
        name: "PostgreSQLJobsTests",
        dependencies: [
            "JobQueue", "PostgreSQLJobs", "SignedIdentity", core, lease, databaseServers, postgreSQL,
        ]
    ),
    .testTarget(
        name: "LedgerServiceTests",
        dependencies: [
            "GRPCIdentity", "JobQueue", "LedgerProtocol", "LedgerService", "SignedIdentity", core, carriers,
            configuration, database, databaseServers, postgreSQL, grpc, grpcInProcess, lifecycle, logging,
        ]
    ),
]

let package = Package(
    name: "tenant-server",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "tenant-server", targets: ["tenant-server"]),
        .executable(name: "ledger", targets: ["ledger"]),
        .library(name: "JobQueues", targets: ["JobQueue", "PostgreSQLJobs", "SignedIdentity"]),
        .library(name: "IdentityEnvelopes", targets: ["IdentityEnvelope", "SignedIdentity"]),
        // For Benchmarks/TenantServer, which starts and kills programs made of these.
        .library(
            name: "LedgerParts",
            targets: ["JobQueue", "LedgerConnection", "LedgerProtocol", "LedgerService", "SignedIdentity"]
        ),
    ],
    dependencies: [
        .package(name: "swift-multi-identity", path: "../../.."),
        .package(name: "databases", path: "../Databases"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.2", traits: []),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.9.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.38.0", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
        .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.0"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport", from: "2.9.0"),
        .package(url: "https://github.com/grpc/grpc-swift-protobuf", from: "2.4.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.0.0"),
    ],
    targets: adapters + common + processes + tests,
    swiftLanguageModes: [.v6]
)

for target in package.targets { target.swiftSettings = settings }
