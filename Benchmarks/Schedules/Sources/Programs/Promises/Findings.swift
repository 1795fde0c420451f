import Dispatch
import MultiIdentity
import Synchronization

/// What a program finds wrong.
final class Findings: Sendable {
    private let log = Log<String>()

    /// Records a finding unless a condition is true.
    func expect(_ isRight: Bool, _ what: @autoclosure () -> String) { if !isRight { log.add(what()) } }

    /// Records a finding if work runs as another identity.
    func expect(_ identity: Identity?, _ place: String) {
        let current = Identity.current
        if current != identity { log.add("\(place) runs as \(current.map(\.name) ?? "no one")") }
    }

    /// Records an error, and continues.
    func expectNoError(_ place: String, _ work: () throws -> Void) {
        do { try work() } catch { log.add("\(place): \(error)") }
    }

    func throwIfAny() throws { if let first = log.all.first { throw Wrong(first) } }
}

/// A number that work items of work share.
final class Count: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }
    var isSet: Bool { value != 0 }

    func set() { number.store(1, ordering: .relaxed) }

    @discardableResult
    func add(_ count: Int = 1) -> Int { number.add(count, ordering: .relaxed).newValue }
}

/// A store for many concurrent readers or one writer.
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

/// Signals a semaphore, before which others may run.
func letOthersGoOn() { DispatchSemaphore(value: 0).signal() }

/// Waits until all work of a group has ended.
func end(of group: DispatchGroup) async {
    await withCheckedContinuation { continuation in
        group.notify(queue: .global()) { continuation.resume() }
    }
}
