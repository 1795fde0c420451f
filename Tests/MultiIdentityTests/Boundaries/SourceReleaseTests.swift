import Dispatch
import Testing

@testable import MultiIdentity

@Suite("Captures of a source's handler are released", .rule("6.2")) struct SourceReleaseTests {
    private typealias Source = IdentitySource<any DispatchSourceUserDataAdd>

    private func source() -> Source {
        let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "source")).propagatingIdentity
        source.setEventHandler {}
        return source
    }

    /// Sets a handler as Ada that captures a farewell, and then uses the source, which stays alive throughout.
    private func outcome(
        _ set: @escaping @Sendable (Source, Farewell) -> Void,
        then goOn: (Source) -> Void
    ) async -> Farewell.Outcome {
        let source = source()
        let outcome = await Farewell.outcome { farewell in
            withIdentity(ada) { set(source, farewell) }
            goOn(source)
        }
        // A source that was never started must not be released.
        source.cancel()
        source.activate()
        return outcome
    }

    @Sendable private static func setEvent(_ source: Source, _ farewell: Farewell) {
        source.setEventHandler { withExtendedLifetime(farewell) {} }
    }

    @Sendable private static func setCancel(_ source: Source, _ farewell: Farewell) {
        source.setCancelHandler { withExtendedLifetime(farewell) {} }
    }

    @Sendable private static func setRegistration(_ source: Source, _ farewell: Farewell) {
        source.setRegistrationHandler { withExtendedLifetime(farewell) {} }
    }

    /// The ways to cancel a source: while it runs, before it is started, or while it is suspended.
    private static let cancellations: [@Sendable (Source) -> Void] = [
        {
            $0.activate()
            $0.cancel()
        },
        {
            $0.cancel()
            $0.activate()
        },
        {
            $0.activate()
            $0.suspend()
            $0.cancel()
            $0.resume()
        },
    ]

    @Test("when the source is cancelled, while the source itself is alive", arguments: 0..<3)
    func cancelled(_ way: Int) async {
        for set in [Self.setEvent, Self.setRegistration, Self.setCancel] {
            #expect(await outcome(set, then: Self.cancellations[way]) == .released(whileBound: nil))
        }
    }

    @Test("when its own event handler cancels it") func cancelledByItself() async {
        let outcome = await outcome { source, farewell in
            source.setEventHandler { withExtendedLifetime(farewell) { source.cancel() } }
        } then: {
            $0.activate()
            $0.add(data: 1)
        }
        #expect(outcome == .released(whileBound: nil))
    }

    @Test("when a registration handler has run") func registered() async {
        #expect(await outcome(Self.setRegistration) { $0.activate() } == .released(whileBound: nil))
    }

    @Test("when another handler replaces it, before the start and after it") func replaced() async {
        #expect(await outcome(Self.setEvent) { $0.setEventHandler {} } == .released(whileBound: nil))
        #expect(await outcome(Self.setCancel) { $0.setCancelHandler {} } == .released(whileBound: nil))
        #expect(await outcome(Self.setRegistration) { $0.setRegistrationHandler {} } == .released(whileBound: nil))
        #expect(await outcome(Self.setEvent) { $0.setEventHandler(handler: nil) } == .released(whileBound: nil))
        let afterwards = await outcome(Self.setEvent) {
            $0.activate()
            $0.setEventHandler {}
        }
        #expect(afterwards == .released(whileBound: nil))
    }

    @Test("when it is set on a source that is already cancelled") func setTooLate() async {
        for set in [Self.setEvent, Self.setCancel] {
            let source = source()
            source.activate()
            source.cancel()
            let outcome = await Farewell.outcome { farewell in withIdentity(ada) { set(source, farewell) } }
            #expect(outcome != .leaked)
        }
    }

    @Test("with the source, if that is released without being cancelled") func sourceReleased() async {
        for set in [Self.setEvent, Self.setCancel, Self.setRegistration] {
            let outcome = await Farewell.outcome { farewell in
                let source = source()
                withIdentity(ada) { set(source, farewell) }
                source.activate()
            }
            #expect(outcome != .leaked)
        }
    }
}
