import MultiIdentity
import Testing

/// The doctor's sources, compiled into this module: so its plain calls are calls of a module with the plugin.
@Suite("Plain calls in a module with the plugin") struct CarriedRowsTests {
    /// The rows that stay as they are in plain Swift, and why.
    static let uncovered = [
        "DispatchData, deallocator": "a case of an enumeration keeps the closure, and no call takes it",
        "BlockOperation, whoever adds it":
            "its queue captures it when it is added, which only the adder's module can shadow",
        "AsyncSequence, its next()": "the sequence is wrapped where it is made",
        "deinit": "no call",
        "isolated deinit": "no call",
        "any closure": "no call",
        "a C callback": "no call",
    ]

    @Test("carry at every boundary that can be shadowed, and the others are named") func rows() async {
        var options = IdentityDoctor.Options()
        // libdispatch installs its handler of a signal once in a process, and the other doctor's tests need it.
        options.boundaries = Set(IdentityDoctor.boundaries).subtracting(["signal source, event"])
        let diagnosis = await IdentityDoctor.examine(options)
        let lost = diagnosis.findings.filter { ![.kept, .missing].contains($0.plain.outcome) }.map(\.boundary)
        var uncovered = Set(Self.uncovered.keys)
        #if compiler(<6.3)
        uncovered.insert("withTaskPriorityEscalationHandler")  // declared otherwise there
        uncovered.remove("isolated deinit")  // the doctor does not cross it there
        #endif
        #expect(Set(lost) == uncovered)
    }
}
