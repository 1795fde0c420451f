// Declarations for the names of a surrounding program in the Swift blocks of doc comments: `.ci/check-snippets` compiles them
// together with this, and runs none. Names of the package are never declared here.

import Dispatch
import Foundation
import FoundationNetworking
import MultiIdentity
import MultiIdentityBenchmarking
import MultiIdentityCarriers
import MultiIdentityFiles
import MultiIdentityFoundation
import MultiIdentityLease
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityProtection
import MultiIdentityTesting

func some<Value>() -> Value { fatalError("never run") }

/// Anything in a program: each of its members and each call of it gives another.
@dynamicMemberLookup @dynamicCallable struct X: Sendable {
    subscript(dynamicMember member: String) -> X { self }
    @discardableResult func dynamicallyCall(withKeywordArguments arguments: KeyValuePairs<String, Any>) -> X { self }
}

let (document, draft, inbox, mailbox, model, upload, store, output): (X, X, X, X, X, X, X, X) = some()
let (subscription, view, logger, audit, database, counter, pages, other): (X, X, X, X, X, X, X, X) = some()
let (send, handle, reply, show, refresh, index, poll, log): (X, X, X, X, X, X, X, X) = some()
let (answer, alert, report, discard, open): (X, X, X, X, X) = some()

// Identities, queues, and what is handed over to them.
let (ada, bob, support, name): (Identity, Identity, Identity, String) = some()
let (queue, group, operations): (DispatchQueue, DispatchGroup, IdentityOperationQueue) = some()
let (uploads, pieces, bytes): ([X], [[UInt8]], [UInt8]) = some()
nonisolated(unsafe) let page: UnsafeRawBufferPointer = some()
let (socket, file): (Int32, Int32) = some()
let (download, process, progress, pipe): (BlockOperation, Process, Progress, Pipe) = some()
let (continuation, rows, prices): (AsyncStream<Int>.Continuation, AsyncStream<Int>, AsyncStream<Int>) = some()
let (block, fileID, line): (@Sendable (Timer) -> Void, StaticString, UInt) = some()
extension Notification.Name { static var inboxChanged: Self { some() } }

final class Callbacks: @unchecked Sendable {
    var onEvent: (@Sendable (Int) -> Void)?
    var onTap: (@MainActor @Sendable () -> Void)?
}
let (callbackAPI, button): (Callbacks, Callbacks) = some()
func add_listener(_ call: @convention(c) (Int32, UnsafeMutableRawPointer?) -> Void, _: UnsafeMutableRawPointer) {}
func call_back_later(_ context: UnsafeMutableRawPointer, _ call: @convention(c) (UnsafeMutableRawPointer?) -> Void) {}

// Other packages'.
final class Request: @unchecked Sendable {
    enum Body { static func stream(_ rows: some AsyncSequence, length: Length) -> Body { some() } }
    enum Length { case unknown }
    var headers: [String: String] = [:]
    var body: Body?
}
let request: Request = some()
enum RequestLog { @TaskLocal static var metadata: [String: String] = [:] }
enum ServiceContext { @TaskLocal static var current: Int? }
struct Logger: Sendable { static var current: Logger { some() } }
func withLogger(_ logger: Logger, _ work: (Logger) -> Void) {}
func withLogger(_ logger: Logger, _ work: (Logger) async -> Void) async {}
extension AsyncSequence { func share() -> Self { self } }
func myShare(_ sequence: some AsyncSequence) -> @Sendable () async -> Void { {} }

enum SHA256 {}
enum HMAC<Hash> { static func authenticationCode(for bytes: [UInt8], using key: String) -> [UInt8] { some() } }
struct MyPool: Sendable { func submit(_ work: @escaping @Sendable () -> Void) {} }
struct MyTimer: Sendable {
    let handler: @Sendable () -> Void
    func fire() {}
}

// Carriers, leases, accounts, policies.
struct HeaderFields: IdentityInjector, IdentityExtractor {
    func inject(_ value: String, forKey key: String, into headers: inout [String: String]) {}
    func extract(key: String, from headers: [String: String]) -> String? { some() }
}
typealias HTTPHeadersInjector = HeaderFields
typealias HTTPHeadersExtractor = HeaderFields
struct Peer: Sendable { let certificateName: String }
let peer: Peer = some()
let (baggage, signing, key): (IdentityBaggage, IdentitySigning, String) = some()
let verifier: MutualTLSVerifier = some()
struct Job: Sendable { var headers: [String: String] }
struct Jobs: AsyncSequence, Sendable {
    func makeAsyncIterator() -> AsyncStream<Job>.Iterator { some() }
    func acknowledge(_ job: Job) async throws {}
    func retry(_ job: Job) async throws {}
    func bury(_ job: Job) async throws {}
}
let jobs = Jobs()
let (raw, carried, variant): (HopVariant, HopVariant, HopVariant) = some()
struct Connection: Sendable {
    let id: Int
    static func open(_ url: URL) throws -> Connection { some() }
    func close() {}
    func execute(_ statement: String, _ value: String = "") throws {}
    func query(_ statement: String) throws {}
    func identity(_ statement: String) throws -> Identity? { some() }
    func currentUser() async throws -> Identity? { some() }
}
struct TheirPool: Sendable {
    func connection() async throws -> Connection { some() }
    func giveBack(_ connection: Connection) {}
    func withConnection(_ work: (Connection) async throws -> Void) async throws {}
}
let (theirs, url, binding): (TheirPool, URL, LeaseBinding<Connection>) = some()
let pool: ResourcePool<Connection> = some()
struct Profile: Sendable {}
struct Note: Sendable {}
func fetch(_ name: String) async throws -> Profile { some() }
func fetch(_ url: URL) async throws -> Data { some() }
func load<Key, Value>(_ key: Key) async throws -> Value { some() }
let (files, outbox, folder, path): (IdentityFileSystem, IdentityFileSystem, String, String) = some()
let (accounts, policies, switcher): (Accounts, any PolicySource, IdentitySwitcher) = some()
let (keys, protection): (KeyFile, DataProtection) = some()
let (registry, configuration): (AccountRegistry, ManagementConfiguration) = some()
func askForPIN(of identity: Identity) async -> Bool { some() }
func isSignature(_ signature: [UInt8], of bytes: [UInt8]) -> Bool { some() }
func myPool() -> BoundaryConformance { some() }
func myPool() -> PoolConformance { some() }
let (accountStore, service, credentials): (any AccountStore, any EnrollmentService, any CredentialProvider) = some()
let (doctor, archive, feed): (ManagementReport.Section, URL, PolicyFeed) = some()
let transport: any PolicyTransport = some()
let evaluate: @Sendable ([UInt8]) async throws -> [UInt8] = some()
let format: RecordLogFormat = some()
