import Dispatch

/// A progress line: updated four times a second on a terminal, otherwise a new line every five seconds.
final class ProgressLine: Sendable {
    // `nonisolated(unsafe)`: constant, and a thread-safe libdispatch object; on Linux it is not declared `Sendable`.
    private nonisolated(unsafe) let timer: any DispatchSourceTimer

    init(_ stress: Stress) {
        let interval = DispatchTimeInterval.milliseconds(StandardError.isTerminal ? 250 : 5_000)
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "progress"))
        let start = ContinuousClock.now
        timer.schedule(deadline: .now() + interval, repeating: interval)
        timer.setEventHandler {
            let hops = stress.hops
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let share = stress.options.hops.map { " (\(100 * hops / max(1, $0)) %)" } ?? ""
            let given = stress.options.seconds.map { " of \(Report.grouped(Int($0.rounded(.up))))" } ?? ""
            StandardError.show(
                "\(Report.grouped(hops)) hops\(share), \(Report.grouped(stress.wrong)) wrong, "
                    + "\(Report.grouped(Int(Double(hops) / seconds))) hops/s, \(Int(seconds))\(given) s"
            )
        }
        timer.resume()
        self.timer = timer
    }

    /// Removes the line.
    func end() {
        timer.cancel()
        if StandardError.isTerminal { StandardError.show("") }
    }
}
