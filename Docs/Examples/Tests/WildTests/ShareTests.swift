import AsyncAlgorithms
import Testing

private enum Tenant { @TaskLocal static var current: String? }

/// Ada takes two elements of a shared sequence and leaves, Grace the others: hers are not to be computed for ada.
///
/// `share()` iterates what it shares in an unstructured task, which the first consumer's `next()` starts. Where
/// `#available(macOS 26, *)` is false that task is detached, and all is computed for no one.
@Suite("A sequence that swift-async-algorithms shares") struct ShareTests {
    @Test("computes all elements as its first consumer, when that one has left, too") func shared() async throws {
        let shared = (1...6).async.map { _ in Tenant.current ?? "no one" }.share()
        await Tenant.$current.withValue("ada") {
            for await _ in shared.prefix(2) {}
        }
        let ofGrace = await Tenant.$current.withValue("grace") { await Array(shared) }
        #expect(
            !ofGrace.isEmpty && ofGrace.allSatisfy { $0 == "ada" },
            "swift-async-algorithms seems to have fixed this: take it out of Docs/Wild.md"
        )
    }
}
