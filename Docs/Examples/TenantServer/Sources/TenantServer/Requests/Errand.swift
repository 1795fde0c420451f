import Logging

/// A part of a request's work: each place that does some of it names here the user that it sees.
struct Errand: Sendable {
    let caller: Caller
    let marker: Marker
    let logger: Logger

    /// Notes the user of the work at this place and moment; it goes into the log as well.
    ///
    /// - Parameter place: What does the work.
    /// - Returns: What was seen, for the answer.
    @discardableResult
    func sighting(at place: String) -> Sighting {
        let sighting = Sighting(as: caller.name, place: place)
        var metadata: Logger.Metadata = ["marker": .string(marker.text)]
        // Where the package is at work, its metadata provider has it. Where not, it is passed, as everything is.
        if case .carried = caller {} else { metadata["identity"] = .string(sighting.as) }
        logger.info("\(place)", metadata: metadata)
        return sighting
    }
}

/// The user that one place saw.
struct Sighting: Codable, Hashable, Sendable {
    let `as`: String
    let place: String
}
