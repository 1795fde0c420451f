import Dispatch
import Foundation

/// Has SIGINT and SIGTERM end a run with the report so far; a second one ends the program at once.
final class Interruption: Sendable {
    // `nonisolated(unsafe)`: kept alive and never touched; on Linux a source lacks the word for being thread-safe.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    init(_ stress: Stress) {
        sources = [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM")].map { number, name in
            // The source gets the signal all the same; without this the signal would end the program.
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
