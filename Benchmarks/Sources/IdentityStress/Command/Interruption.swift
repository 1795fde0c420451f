import Dispatch
import Foundation

/// Ends a run on SIGINT or SIGTERM, with the report so far; a second signal ends the program at once.
final class Interruption: Sendable {
    // `nonisolated(unsafe)`: kept alive and never used; on Linux a dispatch source is not declared `Sendable`.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    init(_ stress: Stress) {
        sources = [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM")].map { number, name in
            // The source still receives the signal; without this, the signal would end the program.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue(label: "interruption"))
            source.setEventHandler {
                stress.stop(.interrupted(name))
                signal(number, SIG_DFL)
            }
            source.resume()
            return source
        }
    }
}
