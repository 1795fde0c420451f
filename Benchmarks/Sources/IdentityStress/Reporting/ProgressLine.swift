import Dispatch

/// A line that shows how far a run has come, four times a second, where standard error is a terminal.
final class ProgressLine: Sendable {
    // `nonisolated(unsafe)`: constant, and a thread-safe object of libdispatch; on Linux it lacks the word for it.
    private nonisolated(unsafe) let timer: (any DispatchSourceTimer)?

    init(_ stress: Stress) {
        guard StandardError.isTerminal else {
            timer = nil
            return
        }
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "progress"))
        let start = ContinuousClock.now
        timer.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250))
        timer.setEventHandler {
            let hops = stress.hops
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let share = stress.options.hops.map { " (\(100 * hops / max(1, $0)) %)" } ?? ""
            StandardError.show(
                "\(Report.grouped(hops)) hops\(share), \(Report.grouped(stress.wrong)) wrong, "
                    + "\(Report.grouped(Int(Double(hops) / seconds))) hops/s, \(Int(seconds)) s"
            )
        }
        timer.resume()
        self.timer = timer
    }

    /// Takes the line away.
    func end() {
        guard let timer else { return }
        timer.cancel()
        StandardError.show("")
    }
}
