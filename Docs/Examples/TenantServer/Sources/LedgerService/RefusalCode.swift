import GRPCIdentity
import MultiIdentity
import MultiIdentityCarriers
import SignedIdentity

/// The reason why a call proved nobody, as one word for a log: nothing in it came from outside.
struct RefusalCode: CustomStringConvertible {
    let description: String

    init(_ error: any Error) {
        description =
            switch error {
            case let error as IdentityCarrierError: "\(error.code)"
            case let error as IdentityClaimError: "\(error.code)"
            case is NoClaimError: "noClaim"
            case is UnknownKeyError: "unknownKey"
            default: "\(type(of: error))"
            }
    }
}
