/// The properties that our member has, decoded.
struct ClaimProperties {
    private var nobody: [UInt8]?
    private var act: [UInt8]?
    private var iss: [UInt8]?
    private var aud: [UInt8]?
    private var exp: [UInt8]?
    private var kid: [UInt8]?
    private var sig: [UInt8]?

    subscript(_ property: ClaimProperty) -> [UInt8]? {
        get {
            switch property {
            case .nobody: nobody
            case .act: act
            case .iss: iss
            case .aud: aud
            case .exp: exp
            case .kid: kid
            case .sig: sig
            }
        }
        set {
            switch property {
            case .nobody: nobody = newValue
            case .act: act = newValue
            case .iss: iss = newValue
            case .aud: aud = newValue
            case .exp: exp = newValue
            case .kid: kid = newValue
            case .sig: sig = newValue
            }
        }
    }

    func has(_ property: ClaimProperty) -> Bool { self[property] != nil }

    /// True if any part of a signature is there.
    var areSigned: Bool { iss != nil || aud != nil || exp != nil || kid != nil || sig != nil }
}

/// The properties of our member; their names are what is sent.
enum ClaimProperty: String {
    /// The claim is nobody's; replaces a value.
    case nobody
    /// The actors, one per line, the current one first.
    case act
    /// The issuer, the audience, the expiry in seconds since 1970, and the key.
    case iss, aud, exp, kid
    /// The signature, in base64url.
    case sig
}
