import Hummingbird

/// The answer of most routes: the identity that each place saw.
struct Answer: ResponseEncodable {
    let marker: String
    let seen: [Sighting]

    init(_ errand: Errand, _ seen: [Sighting]) {
        marker = errand.marker.text
        self.seen = seen
    }
}
