import Dispatch
import MultiIdentity
import Synchronization

/// The things that a program finds wrong.
final class Findings: Sendable {
    private let log = Log<String>()

    /// Notes that something is not as it should be.
    func expect(_ isRight: Bool, _ what: @autoclosure () -> String) { if !isRight { log.add(what()) } }

    /// Notes that work runs as somebody else.
    func expect(_ identity: Identity?, _ place: String) {
        let current = Identity.current
        if current != identity { log.add("\(place) runs as \(current.map(\.name) ?? "no one")") }
    }

    /// Notes an error, and goes on.
    func expectNoError(_ place: String, _ work: () throws -> Void) {
        do { try work() } catch { log.add("\(place): \(error)") }
    }

    func throwIfAny() throws { if let first = log.all.first { throw Wrong(first) } }
}

/// A number that pieces of work share.
final class Count: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }
    var isSet: Bool { value != 0 }

    func set() { number.store(1, ordering: .relaxed) }

    @discardableResult
    func add(_ count: Int = 1) -> Int { number.add(count, ordering: .relaxed).newValue }
}

/// A store that many may read at once, and one may write while nobody reads.
final class Store: Sendable {
    private let findings: Findings
    private let (readers, writers) = (Count(), Count())

    init(_ findings: Findings) { self.findings = findings }

    func read() {
        readers.add()
        findings.expect(writers.value == 0, "somebody reads while another writes")
        letOthersGoOn()
        readers.add(-1)
    }

    func write() {
        let others = writers.add() - 1 + readers.value
        findings.expect(others == 0, "somebody writes while \(others) others read or write")
        letOthersGoOn()
        writers.add(-1)
    }
}

/// Does what any signal does: others may go on first.
func letOthersGoOn() { DispatchSemaphore(value: 0).signal() }

/// Waits until all that a group counts has ended.
func end(of group: DispatchGroup) async {
    await withCheckedContinuation { continuation in
        group.notify(queue: .global()) { continuation.resume() }
    }
}
