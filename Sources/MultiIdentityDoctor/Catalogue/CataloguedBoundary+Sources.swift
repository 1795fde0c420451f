import Dispatch
import Foundation
import MultiIdentity

extension CataloguedBoundary {
    /// The handlers of dispatch sources.
    static let sources = kinds + timers + handlers + sourcesOfOtherSystems

    private static let kinds: [CataloguedBoundary] = [
        source("timer source, event", of: timer),
        source("read source, event") { crossing in
            crossing.pipe().map { pipe in
                let source = DispatchSource.makeReadSource(fileDescriptor: pipe.reading, queue: crossing.queue)
                withIdentity(nil) { source.setCancelHandler { pipe.close() } }
                return Made(source) { pipe.write() }
            }
        },
        source("write source, event") { crossing in
            crossing.pipe().map { pipe in
                let source = DispatchSource.makeWriteSource(fileDescriptor: pipe.writing, queue: crossing.queue)
                withIdentity(nil) { source.setCancelHandler { pipe.close() } }
                return Made(source)
            }
        }.crossedAlone(because: aPipeEach),
        source("signal source, event") { crossing in
            guard let signal = BorrowedSignal() else {
                crossing.refuse("SIGURG, which would be borrowed, is handled by the program")
                return nil
            }
            crossing.afterwards { signal.giveBack() }
            let source = DispatchSource.makeSignalSource(signal: BorrowedSignal.number, queue: crossing.queue)
            // Before it is watched for, it would be lost.
            withIdentity(nil) { source.setRegistrationHandler { signal.raise() } }
            return Made(source)
        }.crossedAlone(because: "one signal of the process, which an interruption of the run needs too"),
        source("data-add source, event") { crossing in
            let source = DispatchSource.makeUserDataAddSource(queue: crossing.queue)
            return Made(source) { source.propagatingIdentity.add(data: 1) }
        }.costing("source-event"),
        source("data-or source, event") { crossing in
            let source = DispatchSource.makeUserDataOrSource(queue: crossing.queue)
            return Made(source) { source.propagatingIdentity.or(data: 1) }
        },
        source("data-replace source, event") { crossing in
            let source = DispatchSource.makeUserDataReplaceSource(queue: crossing.queue)
            return Made(source) { source.propagatingIdentity.replace(data: 1) }
        },
        source("source.setRegistrationHandler", handler: .registration) { crossing in
            Made(DispatchSource.makeUserDataAddSource(queue: crossing.queue))
        },
        source("source.setCancelHandler", handler: .cancel, at: .cancelled) { crossing in
            let source = DispatchSource.makeUserDataAddSource(queue: crossing.queue)
            return Made(source) { source.cancel() }
        }.taking(#"DispatchSourceProtocol\.set\w+Handler\(.*"#),
    ]

    private static let timers = [
        scheduled("later") { $0.schedule(deadline: .now() + .milliseconds(1)) },
        scheduled("on a wall clock") { $0.schedule(wallDeadline: .now()) },
        scheduled("repeating") { $0.schedule(deadline: .now(), repeating: .milliseconds(1)) },
        scheduled("repeating on a wall clock") { $0.schedule(wallDeadline: .now(), repeating: 0.001) },
        source("timer source, event, on main", on: .elsewhere, .variant) { _ in
            timer(DispatchSource.makeTimerSource(queue: .main))
        },
        source("timer source, event, without a queue", on: .elsewhere, .variant) { _ in
            timer(DispatchSource.makeTimerSource())
        },
        source("timer source, event, set when active", .variant) { crossing in
            let made = timer(crossing)
            made.source.suspend()
            made.source.activate()
            return Made(made.source) { made.source.resume() }
        },
        source("timer source, event, by its own kind", handler: .eventOfItsKind, .variant, of: timer),
    ]

    private static let handlers = [
        source("source.setEventHandler, with QoS and flags", qos: .utility, .variant, of: timer),
        source(
            "source.setRegistrationHandler, with QoS and flags",
            handler: .registration,
            qos: .utility,
            .variant,
            of: timer
        ),
        source("source.setCancelHandler, with QoS and flags", handler: .cancel, qos: .utility, at: .cancelled, .variant)
        {
            let made = timer($0)
            return Made(made.source) { made.source.cancel() }
        },
        byItem("source.setEventHandler") { $0.setEventHandler(handler: $1) },
        byItem("source.setRegistrationHandler") { $0.setRegistrationHandler(handler: $1) },
        byItem("source.setCancelHandler") { source, item in
            source.setCancelHandler(handler: item)
            source.activate()
            source.cancel()
        },
    ]

    #if canImport(Darwin)
    private static let sourcesOfOtherSystems: [CataloguedBoundary] = []
    #else
    private static let sourcesOfOtherSystems = ["process source", "file-system source", "memory-pressure source"].map {
        CataloguedBoundary($0, .sources, missing: "Dispatch on this system has none")
    }
    #endif

    // MARK: Kinds

    /// A source, and what makes it fire.
    private struct Made {
        let source: any DispatchSourceProtocol
        let fire: () -> Void

        init(_ source: any DispatchSourceProtocol, fire: @escaping () -> Void = {}) {
            self.source = source
            self.fire = fire
        }
    }

    /// The handler that is set.
    private enum Handler {
        case event, eventOfItsKind, registration, cancel
    }

    /// A handler, which cancels its source when it has run.
    private static func source(
        _ name: String,
        handler: Handler = .event,
        qos: DispatchQoS = .unspecified,
        on worker: Worker = .queue,
        at moment: Moment = .fired,
        _ traits: Traits = [],
        of make: @escaping @Sendable (any BoundaryCrossing) -> Made?
    ) -> CataloguedBoundary {
        let spelling = "source.propagatingIdentity"
        return CataloguedBoundary(name, .sources, captured: .set, on: worker, as: spelling, traits) { crossing in
            guard let made = make(crossing) else { return }
            let held = Held(made.source)
            crossing.afterwards { held.value.cancel() }
            crossing.at(.set) { set(handler, of: made.source, qos, crossing) }
            crossing.then(moment) {
                made.fire()
                made.source.activate()
            }
        }
    }

    private static func set(
        _ handler: Handler,
        of source: any DispatchSourceProtocol,
        _ qos: DispatchQoS,
        _ crossing: any BoundaryCrossing
    ) {
        let flags: DispatchWorkItemFlags = qos == .unspecified ? [] : .enforceQoS
        let (work, carrying) = (crossing.work, crossing.carries ? source.propagatingIdentity : nil)
        // The usual call, which the plugin's file shadows; it cannot shadow the protocol's own requirement.
        let isPlain = qos == .unspecified
        switch handler {
        case .eventOfItsKind where carrying != nil:
            (source as? any DispatchSourceTimer)?.propagatingIdentity.setEventHandler(handler: work)
        case .event, .eventOfItsKind:
            carrying?.setEventHandler(qos: qos, flags: flags, handler: work)
                ?? (isPlain
                    ? source.setEventHandler(handler: work)
                    : source.setEventHandler(qos: qos, flags: flags, handler: work))
        case .registration:
            carrying?.setRegistrationHandler(qos: qos, flags: flags, handler: work)
                ?? (isPlain
                    ? source.setRegistrationHandler(handler: work)
                    : source.setRegistrationHandler(qos: qos, flags: flags, handler: work))
        case .cancel:
            carrying?.setCancelHandler(qos: qos, flags: flags, handler: work)
                ?? (isPlain
                    ? source.setCancelHandler(handler: work)
                    : source.setCancelHandler(qos: qos, flags: flags, handler: work))
        }
    }

    /// A timer that fires at once when it is active.
    @Sendable private static func timer(_ crossing: any BoundaryCrossing) -> Made {
        timer(DispatchSource.makeTimerSource(queue: crossing.queue))
    }

    private static func timer(_ timer: any DispatchSourceTimer) -> Made {
        timer.propagatingIdentity.schedule(deadline: .now())
        withIdentity(nil) { timer.setEventHandler {} }
        return Made(timer)
    }

    private static func scheduled(
        _ name: String,
        _ schedule: @escaping @Sendable (IdentitySource<any DispatchSourceTimer>) -> Void
    ) -> CataloguedBoundary {
        source("timer source, event, \(name)", .variant) { crossing in
            let timer = DispatchSource.makeTimerSource(queue: crossing.queue)
            return Made(timer) { schedule(timer.propagatingIdentity) }
        }
    }

    /// A handler that is a work item, and so captured with that.
    private static func byItem(
        _ name: String,
        _ set: @escaping @Sendable (any DispatchSourceProtocol, DispatchWorkItem) -> Void
    ) -> CataloguedBoundary {
        CataloguedBoundary(
            "\(name), by a work item",
            .sources,
            captured: .created,
            on: .queue,
            as: "DispatchWorkItem.propagatingIdentity { }",
            .variant
        ) { crossing in
            let source = timer(crossing).source
            let held = Held(source)
            crossing.afterwards { held.value.cancel() }
            let item = crossing.at(.created) { crossing.item() }
            crossing.then(.set) { set(source, item) }
            crossing.then(.fired) { source.activate() }
        }
    }
}
