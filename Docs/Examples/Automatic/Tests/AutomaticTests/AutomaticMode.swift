import MultiIdentity
import MultiIdentityInterposition
import Testing

/// One test at a time: the switch that some of them turn is the process's.
@Suite("In automatic mode", .serialized) struct AutomaticMode {
    @Test("it is on before anything else has run, and says what it holds")
    func early() throws {
        #expect(earlyStatus == .active)
        #expect(IdentityInterposition.status == .active)
        try IdentityInterposition.required()
        let held = IdentityInterposition.entryPoints
        for name in ["dispatch_async", "dispatch_sync", "dispatch_group_notify", "dispatch_source_set_event_handler"] {
            #expect(held.contains(name))
        }
    }

    @Test("it says that it is off once it was turned off, holds nothing then, and can be turned on again")
    func switching() throws {
        IdentityInterposition.turnOff()
        #expect(IdentityInterposition.status == .off)
        #expect(IdentityInterposition.entryPoints.isEmpty)
        #expect(#expect(throws: IdentityInterpositionError.self) { try IdentityInterposition.required() }?.code == .off)
        try IdentityInterposition.turnOn()
        #expect(IdentityInterposition.status == .active)
        #expect(IdentityInterposition.entryPoints.contains("dispatch_async"))
    }
}

/// As the first that asks finds it.
private let earlyStatus = IdentityInterposition.status
