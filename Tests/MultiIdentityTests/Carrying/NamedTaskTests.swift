import MultiIdentity
import Testing

@Suite("A detached task with a name") struct NamedTaskTests {
    @Test("carries identity, has its name, and throws")
    func named() async throws {
        guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
        let (plain, throwing) = withIdentity(ada) {
            (
                Task.propagatingIdentity.detached(name: "index") { (Task.name, Identity.current) },
                Task.propagatingIdentity.detached(name: "index", priority: .low) { () throws in
                    throw CancellationError()
                }
            )
        }
        let (name, identity) = await plain.value
        #expect(name == "index")
        #expect(identity == ada)
        await #expect(throws: CancellationError.self) { try await throwing.value }
    }
}
