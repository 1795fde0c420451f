#if compiler(<6.4)  // from then on, swift-nio refuses
import MultiIdentityDoctor
import NIOCore
import NIOPosix
import Testing

// In its own process, since Swift's executor is replaced for good.
@Suite("Where swift-nio's event loops run Swift's tasks") struct TakeOverTests {
    @Test("every boundary keeps the identity") func boundaries() async {
        await #expect(processExitsWith: .success) {
            #expect(NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor())
            #expect(await Task.detached { MultiThreadedEventLoopGroup.currentEventLoop != nil }.value)
            let findings = await IdentityDoctor.examine().findings
            #expect(findings.filter { !$0.isHealthy }.map(\.boundary) == [])
            #expect(findings.count == IdentityDoctor.boundaries.count)
        }
    }
}
#endif
