import Dispatch
import Foundation
import MultiIdentity

extension ExaminedBoundary {
    /// The handlers of dispatch sources.
    static let sources: [ExaminedBoundary] =
        [
            source("timer source, event") { crossing in
                let source = DispatchSource.makeTimerSource(queue: crossing.queue)
                return Made(source, on: crossing) { source.schedule(deadline: .now()) }
            },
            source("read source, event") { crossing in
                crossing.pipe().map { pipe in
                    let source = DispatchSource.makeReadSource(fileDescriptor: pipe.reading, queue: crossing.queue)
                    return Made(source, on: crossing, closing: [pipe.reading, pipe.writing]) { pipe.write() }
                }
            },
            source("write source, event") { crossing in
                crossing.pipe().map { pipe in
                    let source = DispatchSource.makeWriteSource(fileDescriptor: pipe.writing, queue: crossing.queue)
                    return Made(source, on: crossing, closing: [pipe.reading, pipe.writing])
                }
            },
            source("signal source, event") { crossing in
                guard let signal = BorrowedSignal() else {
                    crossing.refuse("SIGURG, which would be borrowed, is handled by the program")
                    return nil
                }
                crossing.afterwards { signal.giveBack() }
                let source = DispatchSource.makeSignalSource(signal: BorrowedSignal.number, queue: crossing.queue)
                source.setRegistrationHandler { signal.raise() }  // before it is watched for, it would be lost
                return Made(source, on: crossing)
            },
            source("data-add source, event") { crossing in
                let source = DispatchSource.makeUserDataAddSource(queue: crossing.queue)
                return Made(source, on: crossing) { source.add(data: 1) }
            },
            source("data-or source, event") { crossing in
                let source = DispatchSource.makeUserDataOrSource(queue: crossing.queue)
                return Made(source, on: crossing) { source.or(data: 1) }
            },
            source("data-replace source, event") { crossing in
                let source = DispatchSource.makeUserDataReplaceSource(queue: crossing.queue)
                return Made(source, on: crossing) { source.replace(data: 1) }
            },
            source(
                "source.setRegistrationHandler",
                plain: { $0.setRegistrationHandler(handler: $1) },
                carried: { $0.propagatingIdentity.setRegistrationHandler(handler: $1) }
            ) { crossing in
                Made(DispatchSource.makeUserDataAddSource(queue: crossing.queue), on: crossing)
            },
            source(
                "source.setCancelHandler",
                plain: { $0.setCancelHandler(handler: $1) },
                carried: { $0.propagatingIdentity.setCancelHandler(handler: $1) },
                at: .cancelled
            ) { crossing in
                let source = DispatchSource.makeUserDataAddSource(queue: crossing.queue)
                return Made(source, on: crossing) { source.cancel() }
            },
        ] + sourcesOfOtherSystems

    #if canImport(Darwin)
    private static let sourcesOfOtherSystems: [ExaminedBoundary] = []
    #else
    private static let sourcesOfOtherSystems = ["process source", "file-system source", "memory-pressure source"].map {
        ExaminedBoundary($0, .sources, missing: "Dispatch on this system has none")
    }
    #endif

    /// A source, and what makes it fire.
    private struct Made {
        let source: any DispatchSourceProtocol
        let fire: () -> Void

        /// The source will be cancelled when the crossing has ended, and the descriptors closed.
        init(
            _ source: any DispatchSourceProtocol,
            on crossing: Crossing,
            closing descriptors: [Int32] = [],
            fire: @escaping () -> Void = {}
        ) {
            self.source = source
            self.fire = fire
            let held = Held(source)
            if descriptors.isEmpty {
                crossing.afterwards { held.value.cancel() }
            } else {
                crossing.closeAfterwards(descriptors) { hasLetGo in
                    held.value.setCancelHandler(handler: hasLetGo)
                    held.value.cancel()
                }
            }
        }
    }

    private static func source(
        _ name: String,
        plain: @escaping @Sendable (any DispatchSourceProtocol, @escaping @Sendable () -> Void) -> Void = {
            $0.setEventHandler(handler: $1)
        },
        carried: @escaping @Sendable (any DispatchSourceProtocol, @escaping @Sendable () -> Void) -> Void = {
            $0.propagatingIdentity.setEventHandler(handler: $1)
        },
        at moment: Moment = .fired,
        make: @escaping @Sendable (Crossing) -> Made?
    ) -> ExaminedBoundary {
        func way(_ set: @escaping @Sendable (any DispatchSourceProtocol, @escaping @Sendable () -> Void) -> Void) -> Way
        {
            { crossing in
                guard let made = make(crossing) else { return }
                crossing.at(.set) { set(made.source, crossing.work) }
                crossing.at(moment) {
                    made.source.activate()
                    made.fire()
                }
            }
        }
        let spelling = "source.propagatingIdentity"
        return ExaminedBoundary(name, .sources, captured: .set, as: spelling, plain: way(plain), carried: way(carried))
    }
}
