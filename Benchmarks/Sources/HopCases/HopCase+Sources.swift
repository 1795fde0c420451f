import Dispatch
import MultiIdentity

/// Handlers of sources, which are captured once and run repeatedly: this counts an event, not the capture.
extension HopCase {
    /// Each event merges the data of the next one, since data merged meanwhile would be one event.
    static let sourceCases = [
        HopCase("source-event", "raw") {
            .events(of: source("raw")) { source, handler in source.setEventHandler(handler: handler) }
        },
        HopCase("source-event", "handwritten", .user) {
            .events(of: source("handwritten")) { source, handler in
                let user = Handwritten.user
                source.setEventHandler { Handwritten.$user.withValue(user) { handler() } }
            }
        },
        HopCase("source-event", "carried", .identity, parts: carriedEvents),
        HopCase("source-event", "carried-unbound", parts: carriedEvents),
    ]

    private static let carriedEvents: @Sendable () -> HopParts = {
        .events(of: source("carried")) { source, handler in
            source.propagatingIdentity.setEventHandler(handler: handler)
        }
    }

    private static func source(_ label: String) -> any DispatchSourceUserDataAdd {
        DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: label))
    }
}

extension HopParts {
    fileprivate static func events(
        of source: sending any DispatchSourceUserDataAdd,
        set: @escaping @Sendable (any DispatchSourceUserDataAdd, @escaping @Sendable () -> Void) -> Void
    ) -> HopParts {
        let source = Unchecked(value: source)
        let (isSet, left, hasEnded) = (Counter(), Counter(), DispatchSemaphore(value: 0))
        return HopParts(
            // Here, and not when it is made, since the required bindings exist here.
            hold: {
                if isSet.value > 0 { return }
                isSet.value = 1
                set(source.value) {
                    left.value -= 1
                    if left.value == 0 { hasEnded.signal() } else { source.value.add(data: 1) }
                }
                source.value.activate()
            },
            enqueue: { hops in left.value += hops },
            drain: {
                source.value.add(data: 1)
                hasEnded.wait()
            }
        )
    }
}

/// `@unchecked Sendable`: a source is a thread-safe object of libdispatch; on Linux its protocols do not declare that.
private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
}
