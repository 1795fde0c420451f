import Testing

@testable import MultiIdentity

@Suite("A boundary's name", .rule("7.4")) struct BoundaryNameTests {
    @Test("identifies it: the same name is the same boundary, and the core's are there from the start") func names() {
        #expect(IdentityBoundary("a pool") == IdentityBoundary("a pool"))
        #expect(IdentityBoundary("a pool") != IdentityBoundary("another pool"))
        #expect("\(IdentityBoundary("a pool"))" == "a pool")
        #expect(IdentityBoundary("async") == .async)
        #expect(IdentityBoundary.all.prefix(9).map(\.name).contains("detached task"))
    }

    @Test("is the last one if there are too many") func full() {
        #expect(IdentityBoundary(index: .max).name == "other")
    }
}
