import Dispatch
import Foundation
import MultiIdentity

/// A plan of who acts at each moment of a crossing.
package struct Plan: Sendable {
    /// The methods to find out which identity the work gets.
    enum Casting: Sendable, CaseIterable {
        /// The same identity at every moment.
        case somebody
        /// No one at any moment, inside a scope of another identity.
        case noOne
        /// A different identity at each moment, inside a scope of yet another one.
        case everybody
        /// No one except at the moment of capture.
        case onlyAtCapture
        /// No one at the moment of capture, and a different identity at each other moment.
        case allButAtCapture
    }

    let casting: Casting
    let captured: Moment
    let cast: Cast

    /// Returns the identity that acts at `moment`.
    func identity(at moment: Moment) -> Identity? {
        switch casting {
        case .somebody: cast.somebody
        case .noOne: nil
        case .everybody: cast.actor(at: moment)
        case .onlyAtCapture: moment == captured ? cast.somebody : nil
        case .allButAtCapture: moment == captured ? nil : cast.actor(at: moment)
        }
    }

    /// The identity that the work has to have, by the capture point that is promised.
    var expected: Identity? { identity(at: captured) }

    /// The identity bound around all moments.
    var around: Identity? {
        switch casting {
        case .somebody, .onlyAtCapture: nil
        case .noOne, .everybody, .allButAtCapture: cast.bystander
        }
    }
}

/// The identities of one examination, in a domain without accounts.
struct Cast: Sendable {
    let somebody = Cast.identity("somebody")
    let bystander = Cast.identity("bystander")
    private let actors = Dictionary(uniqueKeysWithValues: Moment.allCases.map { ($0, identity($0.rawValue)) })

    /// Returns the identity that acts at one moment, and at no other.
    func actor(at moment: Moment) -> Identity? { actors[moment] }

    private static func identity(_ name: String) -> Identity {
        do { return try Identity("\(name)@doctor.invalid") } catch { preconditionFailure("\(error)") }
    }
}

/// The place from which a boundary is crossed; each stores the thread level differently.
package enum Origin: Sendable, CaseIterable {
    case thread, worker, task

    func run(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .thread: Thread.detachNewThread(body)
        case .worker: DispatchQueue(label: "identity-doctor.origin").async(execute: body)
        case .task: Task.detached { body() }
        }
    }
}
