/// One wrong identity, for people and machines.
struct Mismatch: Sendable, Encodable {
    let boundary: String
    let place: Place
    let kind: Expectation.Difference.Kind
    let expected: String
    let found: String
    let request: Int
    let step: Int
    let before: String?
}

extension Mismatch: CustomStringConvertible {
    var description: String {
        let position = before.map { ", after \($0)" } ?? ", the first"
        return "\(boundary): \(kind.rawValue) \(place.rawValue): expected \(expected), found \(found) "
            + "(request \(request), step \(step)\(position))"
    }
}
