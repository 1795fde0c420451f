import ArgumentParser
import Dispatch
import Foundation
import MultiIdentity
@_spi(Catalogue) import MultiIdentityDoctor
import Synchronization

extension Doctor {
    /// Prints for each boundary how many of ten task-locals that no one names are kept, before all are carried and after.
    static func countTaskLocals(_ limit: Double) throws {
        let rows = CataloguedBoundary.all.filter { $0.exists && !$0.traits.contains(.variant) }
        let before = rows.map { UnnamedLocal.kept(at: $0, limit) }
        try IdentityCompanions.carryAll()
        let after = rows.map { UnnamedLocal.kept(at: $0, limit) }
        print("before\tafter\tof \(UnnamedLocal.ten.count) task-locals, at")
        for (row, counts) in zip(rows, zip(before, after)) { print("\(counts.0)\t\(counts.1)\t\(row)") }
        if after.contains(where: { $0 != UnnamedLocal.ten.count }) { throw ExitCode(1) }
    }
}

/// A task-local, a value for it, and whether the code that runs here finds that.
private struct UnnamedLocal: Sendable {
    private let bind: @Sendable (() -> Void) -> Void
    private let isBound: @Sendable () -> Bool

    private init<Value: Equatable & Sendable>(_ local: TaskLocal<Value>, _ value: Value) {
        bind = { local.withValue(value, operation: $0) }
        isBound = { local.get() == value }
    }

    // Of different shapes: small and large, absent, with storage of their own, a reference, types of other modules.
    @TaskLocal private static var number = 0
    @TaskLocal private static var flag = false
    @TaskLocal private static var text = ""
    @TaskLocal private static var absent: String? = "default"
    @TaskLocal private static var list: [String] = []
    @TaskLocal private static var table: [String: Int] = [:]
    @TaskLocal private static var object: Progress?
    @TaskLocal private static var decimal = Decimal(0)
    @TaskLocal private static var duration = Duration.zero
    @TaskLocal private static var name: UUID?

    static let ten = [
        UnnamedLocal($number, 7), UnnamedLocal($flag, true),
        UnnamedLocal($text, "a text that is too long to be inline"),
        UnnamedLocal($absent, nil), UnnamedLocal($list, ["one", "two"]), UnnamedLocal($table, ["one": 1]),
        UnnamedLocal($object, Progress(totalUnitCount: 1)), UnnamedLocal($decimal, Decimal(7)),
        UnnamedLocal($duration, .seconds(7)), UnnamedLocal($name, UUID()),
    ]

    /// The number that the work finds at a boundary; −1 if it does not run in time.
    static func kept(at row: CataloguedBoundary, _ limit: Double) -> Int {
        let found = Atomic(-1)
        let hasRun = DispatchSemaphore(value: 0)
        func prepare() -> () -> Void {
            PreparedCrossing.prepare(row, carries: row.isCarriedByPackage, on: DispatchQueue(label: "task-locals")) {
                found.store(ten.count { $0.isBound() }, ordering: .relaxed)
                hasRun.signal()
            }
        }
        // Nothing is bound where prepared work is triggered: it has to come from the capture.
        var trigger: (() -> Void)?
        let capture = { if row.isOneCall { prepare()() } else { trigger = prepare() } }
        ten.reduce(capture) { body, one in { one.bind(body) } }()
        trigger?()
        return hasRun.wait(timeout: .now() + limit) == .success ? found.load(ordering: .relaxed) : -1
    }
}
