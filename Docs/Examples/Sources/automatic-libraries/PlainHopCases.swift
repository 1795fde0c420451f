import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityAutomaticMode
@_spi(Catalogue) import MultiIdentityDoctor

/// The list of plain hops: the places that it names, and what it counts.
enum PlainHopCases {
    private static let ada = try? Identity("ada@contoso.com")
    private static let queue = DispatchQueue(label: "forgotten")

    static func check(_ cases: inout Cases) async {
        await cases.check("plain hops are not listed while that is off") {
            forgetOnAQueue { _ = Identity.current }
            try expect(PlainHop.report, "plain hops are not recorded")
        }
        PlainHop.areRecorded = true
        defer { PlainHop.areRecorded = false }
        await cases.check("three forgotten places are listed by function, and whether they were read behind") {
            for _ in 0..<3 { forgetOnAQueue { _ = try? Identity.required() } }
            withIdentity(ada) {
                awaited(CallbackAPI.fetch)
                let list = KeptClosures()
                for _ in 0..<2 { list.keep { _ = EffectiveIdentity.current(for: .files) } }
                awaited(list.callAll)
            }
            try expect(hops(by: "forgetOnAQueue"), ["3 async on forgotten, 3 reads"])
            try expect(hops(by: "CallbackAPI.fetch"), ["1 asyncAfter on callbacks, 0 reads"])
            try expect(hops(by: "KeptClosures.callAll"), ["1 async on kept, 2 reads"])
            try expect(PlainHop.report.hasPrefix(#"3 × async on "forgotten", read 3 ×, by closure #1"#), true)
            try expect(PlainHop.report.contains(" in static automatic_libraries.PlainHopCases.forgetOnAQueue("), true)
            try expect(PlainHop.report.contains(#"1 × asyncAfter on "callbacks", not read, by"#), true)
            try expect(Set(PlainHop.all.map(\.image)), ["automatic-libraries"])
        }
        await cases.check("a call with nothing bound is not listed, nor a call of this package") {
            awaited(hopWithNothing)
            withIdentity(ada) { awaited { done in IdentityQueue(label: "carried").async(execute: done) } }
            try expect(hops(by: "hopWithNothing"), [])
            try expect(PlainHop.all.filter { $0.label == "carried" }, [])
        }
        await cases.check("a read behind further hops and in tasks counts for each plain hop before it") {
            withIdentity(ada) {
                awaited { done in
                    hopFirst {
                        hopSecond { IdentityQueue.global().async { Task { if Identity.current != nil { done() } } } }
                    }
                }
            }
            try expect(hops(by: "hopFirst"), ["1 async on forgotten, 1 reads"])
            try expect(hops(by: "hopSecond"), ["1 async on forgotten, 1 reads"])
        }
        await cases.check("a call that Foundation makes has the function that called Foundation") {
            withIdentity(ada) { addOperation() }
            try expect(hops(by: "addOperation"), ["1 work item, 1 reads, through Foundation"])
        }
        await cases.check("work that its caller waits for is listed only if it runs on another thread") {
            withIdentity(ada) { waitHere { _ = Identity.current } }
            try expect(hops(by: "waitHere"), [])
            if ProcessInfo.processInfo.activeProcessorCount == 1 { return }
            withIdentity(ada) { performTwoAtOnce() }
            try expect(hops(by: "performTwoAtOnce"), ["1 concurrentPerform, 1 reads"])
        }
        for boundary in PlainBoundary.all where boundary.worker == .queue || boundary.worker == .elsewhere {
            await cases.check("a plain hop is listed, and runs as its caller: \(boundary.name)") {
                let (before, found) = (total, Notes<Identity?>())
                withIdentity(ada) {
                    awaited { done in
                        boundary.prepare(queue) {
                            found.add(Identity.current)
                            done()
                        }()
                    }
                }
                try expect(found.all.first, ada)
                try expect([total.hops > before.hops, total.reads > before.reads], [true, true])
            }
        }
    }

    private static func hops(by function: String) -> [String] {
        PlainHop.all.filter { $0.symbol.contains(function) }.map { hop in
            let label = hop.label.map { " on \($0)" } ?? ""
            let way = hop.isThroughFoundation ? ", through Foundation" : ""
            return "\(hop.count) \(hop.boundary?.name ?? "nothing bound")\(label), \(hop.reads) reads\(way)"
        }
    }

    private static var total: (hops: UInt64, reads: UInt64) {
        PlainHop.all.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.reads) }
    }

    private static func awaited(_ start: (@escaping @Sendable () -> Void) -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        start { isDone.signal() }
        isDone.wait()
    }

    private static func forgetOnAQueue(_ work: @escaping @Sendable () -> Void) {
        withIdentity(ada) {
            awaited { done in
                queue.async {
                    work()
                    done()
                }
            }
        }
    }

    private static func hopWithNothing(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
    private static func hopFirst(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
    private static func hopSecond(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
    private static func waitHere(_ work: @Sendable () -> Void) { queue.sync(execute: work) }

    private static func addOperation() {
        let operations = OperationQueue()
        operations.addOperation { _ = Identity.current }
        operations.waitUntilAllOperationsAreFinished()
    }

    /// Each iteration waits for the other to begin, so that a second thread helps; only there it is behind a hop.
    private static func performTwoAtOnce() {
        let began = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            began[index].signal()
            began[1 - index].wait()
            _ = Identity.current
        }
    }
}

/// An API that calls back on its own queue.
private enum CallbackAPI {
    private static let queue = DispatchQueue(label: "callbacks")

    static func fetch(_ callback: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now(), execute: callback)
    }
}

/// A list of closures, which it calls later, on a queue.
private final class KeptClosures: Sendable {
    private let closures = Notes<@Sendable () -> Void>()

    func keep(_ closure: @escaping @Sendable () -> Void) { closures.add(closure) }

    func callAll(then done: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "kept").async {
            for closure in self.closures.all { closure() }
            done()
        }
    }
}
