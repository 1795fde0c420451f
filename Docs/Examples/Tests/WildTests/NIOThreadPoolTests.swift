import NIOPosix
import Testing

private enum Tenant { @TaskLocal static var current: String? }

/// The call is `async`, and its closure does not outlive it: it is to run for ada.
@Suite("A thread pool of swift-nio") struct NIOThreadPoolTests {
    @Test("runs without the task-locals of the task that awaits it") func awaited() async throws {
        let seen = try await Tenant.$current.withValue("ada") {
            try await NIOThreadPool.singleton.runIfActive { Tenant.current ?? "no one" }
        }
        #expect(seen == "no one", "swift-nio seems to have fixed this: take it out of Docs/Wild.md")
    }
}
