import Dispatch

extension DispatchQueue {
    /// Waits until what was handed to this serial queue so far has run.
    func drained() async {
        await withCheckedContinuation { caller in self.async { caller.resume() } }
    }
}
