import Hummingbird
import MultiIdentity
import MultiIdentityDoctor
import MultiIdentityManagement
import MultiIdentityProtection
import ServiceLifecycle
import Synchronization

/// A report of what is in force in this server and why, for its operators: as a page, and at a socket.
struct ServerReport: Sendable {
    let settings: ServerSettings
    let keeping: IdentityKeeping
    let erasure: Erasure?
    let managed: ManagedTenants?
    private static let examination = Examination()

    /// Makes it, without secrets and what is to be scrubbed.
    func report() async throws -> ManagementReport {
        var sections = [ManagementReport.Section.runtime(), .init("settings", settingRows)]
        if let erasure {
            let rows = try await erasure.wipe.status().map { wipe in
                ManagementReport.Row(wipe.identity.map { "\($0)" } ?? "unknown", wipe.state.rawValue)
            }
            sections.append(.init("wipes", rows))
        }
        if let managed {
            sections += try managed.registry.report().sections.filter { ["accounts", "events"].contains($0.title) }
        }
        sections.append(.init("boundaries", Self.rows(of: await Self.examination.diagnosis)))
        return ManagementReport(sections, Scrubber(values: settings.scrubbedTexts))
    }

    /// The short result of the doctor, who crosses each boundary in this process: how many carry, and each that does not.
    static func rows(of diagnosis: Diagnosis) -> [ManagementReport.Row] {
        let kept = diagnosis.findings.count { $0.carried.outcome == .kept }
        let missing = diagnosis.findings.count { $0.carried.outcome == .missing }
        let sick = diagnosis.findings.filter { !$0.isHealthy }
        return [.init("carry", "\(kept) of \(diagnosis.findings.count), and this system lacks \(missing)")]
            + sick.map { .init($0.boundary, "\($0.carried)") }
    }

    /// Of a key its id, and of a secret that it is there.
    private var settingRows: [ManagementReport.Row] {
        [
            .init("keeping", "\(keeping)"),
            .init("listens at", "\(settings.host):\(settings.port)"),
            .init("tokens", "of \(settings.authority.issuer) for \(settings.authority.audience)"),
            .init("data folder", settings.dataFolder),
            .init("ledger", settings.ledger.map { "\($0.host):\($0.port), \($0.keys)" } ?? "in memory"),
            .init("jobs", settings.jobs.map { "in a database, \($0.keys)" } ?? "in memory"),
            .init("master key", settings.masterKey == nil ? "none: files lie as they are" : "set"),
        ]
    }

    func add(to operators: some RouterMethods<TenantContext>) {
        operators.get("diagnostics") { request, _ in
            let report = try await report()
            let wantsJSON = request.headers[.accept]?.contains("json") == true
            return Response(
                status: .ok,
                headers: [
                    .contentType: wantsJSON ? "application/json; charset=utf-8" : "text/plain; charset=utf-8",
                    .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
                ],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: wantsJSON ? report.json : Array("\(report)\n".utf8)))
            )
        }
    }
}

/// The doctor's examination of this process: made when it is first asked for, since it takes seconds, and then known.
private final class Examination: Sendable {
    private let task = Mutex<Task<Diagnosis, Never>?>(nil)

    var diagnosis: Diagnosis {
        get async {
            let task = task.withLock { task in
                let known = task ?? Task.detached { await IdentityDoctor.examine() }
                task = known
                return known
            }
            return await task.value
        }
    }
}

/// Answers `multi-identity diagnose` at a socket, until the server stops.
struct ReportListening: Service {
    let path: String
    let report: ServerReport

    func run() async throws {
        let socket = try ReportSocket(at: path) { try await report.report() }
        try? await gracefulShutdown()
        withExtendedLifetime(socket) {}
    }
}
