/// `async let`.
///
/// The parent is asked when the child has been awaited.
struct AsyncLet: Boundary {
    let name = "async-let"

    func handOver(_ hop: Hop, _ way: Way) {
        hop.request.enter()
        Task {
            async let end: Void = hop.run()
            await end
            hop.check(hop.request.expected, .worker, isOnMain: false)
            hop.request.leave()
        }
    }
}
