#if canImport(Glibc)
import Dispatch
import Testing

@testable import MultiIdentity

/// Measures bytes of the heap, which are reproducible, in a process that does nothing else.
///
/// `Benchmarks/measure-hops --check` covers the number of allocations and instructions of a hop.
@Suite("Memory that carrying retains", .enabled(if: !Sanitizer.isThread && !Sanitizer.isAddress))
struct AllocationBudgetTests {
    private static let hops = 10_000

    /// Returns the bytes that a hop retains while it waits on a queue.
    ///
    /// It takes the minimum of five runs: now and then libdispatch retains or allocates something of its own.
    private static func bytesPerHop(_ handOver: (DispatchQueue, @escaping @Sendable () -> Void) -> Void) -> Int? {
        (0..<5).compactMap { _ in heldBytesPerHop(handOver) }.min()
    }

    private static func heldBytesPerHop(_ handOver: (DispatchQueue, @escaping @Sendable () -> Void) -> Void) -> Int? {
        let queue = DispatchQueue(label: "held")
        let counter = Locked(0)
        func submit() { handOver(queue) { counter.withLock { $0 += 1 } } }
        submit()  // what is made only once
        queue.sync {}
        queue.suspend()
        defer {
            queue.resume()
            queue.sync {}
        }
        // Rounded: growth by doubling, such as the allocator's own, belongs to no hop.
        return HeapInUse.growth { for _ in 0..<hops { submit() } }.map { ($0 + hops / 2) / hops }
    }

    private static func carry(_ queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        queue.propagatingIdentity.async(execute: work)
    }

    // Measured outside `#require`, which would wrap each closure that is handed over in another one.

    @Test("a hop with nothing bound retains no more than a plain one", .aboutFastPaths)
    func nothingBound() async {
        await #expect(processExitsWith: .success) {
            let plain = Self.bytesPerHop { $0.async(execute: $1) }
            let carried = Self.bytesPerHop(Self.carry)
            #expect(try #require(plain) > 0)
            let (most, kept) = (try #require(plain), try #require(carried))
            #expect(kept <= most)
        }
    }

    @Test("a hop with an identity retains no more than one with nothing bound: the identity is shared, not copied")
    func somebodyBound() async {
        await #expect(processExitsWith: .success) {
            let unbound = Self.bytesPerHop(Self.carry)
            let bound = withIdentity(ada) { Self.bytesPerHop(Self.carry) }
            #expect(unbound != nil && bound == unbound)
        }
    }

    /// Returns the bytes that `depth` nested scopes retain while they are open.
    private static func bytes(atDepth depth: Int, restoring snapshots: [IdentitySnapshot]) -> Int? {
        func descend(_ left: Int) -> Int? {
            if left == 0 { return HeapInUse.bytes }
            return snapshots[left % snapshots.count].restore { descend(left - 1) }
        }
        _ = descend(2)
        guard let before = HeapInUse.bytes, let deep = descend(depth) else { return nil }
        return deep - before
    }

    @Test("restoring the bound identity retains nothing, nor does a nested restore: nothing is pushed", .aboutFastPaths)
    func sameAgain() async {
        await #expect(processExitsWith: .success) {
            let own = IdentitySnapshot(of: try Identity("ada@contoso.com"))
            let (other, nothing) = (IdentitySnapshot(of: try Identity("bob@contoso.com")), IdentitySnapshot(of: nil))
            // On a thread without a task: tasks do not allocate everything on the heap.
            let bytes = await onNewThread {
                [
                    own.restore { Self.bytes(atDepth: 1_000, restoring: [own]) },
                    Self.bytes(atDepth: 1_000, restoring: [nothing]),
                    own.restore { Self.bytes(atDepth: 1_000, restoring: [own, other]) },
                    Self.bytes(atDepth: 1_000, restoring: [nothing, other]),
                ]
            }
            #expect(try #require(bytes[0]) < 1_000)
            #expect(try #require(bytes[1]) < 1_000)
            #expect(try #require(bytes[2]) < 1_000)
            #expect(try #require(bytes[3]) > 8_000, "the measure sees what a push is")
        }
    }
}
#endif
