import Testing

@testable import MultiIdentity

@Suite("A boundary's name") struct BoundaryNameTests {
    @Test("is the boundary: the same name is the same one, and the core's have theirs from the start", .rule("7.4"))
    func names() {
        #expect(IdentityBoundary("a pool") == IdentityBoundary("a pool"))
        #expect(IdentityBoundary("a pool") != IdentityBoundary("another pool"))
        #expect("\(IdentityBoundary("a pool"))" == "a pool")
        #expect(IdentityBoundary("async") == .async)
        #expect(IdentityBoundary.all.prefix(9).map(\.name).contains("detached task"))
    }

    @Test("is the last one of all where there is no more room", .rule("7.4"))
    func full() {
        #expect(IdentityBoundary(index: .max).name == "other")
    }
}
