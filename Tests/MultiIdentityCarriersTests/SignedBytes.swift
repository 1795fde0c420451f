/// Test vectors of the signed bytes, made independently of this package.
enum SignedBytes {
    /// `Ada@contoso.com` in `identity`, by `web` for `orders` until 1795341660, with the key `2026-11`.
    static let named =
        "4d756c74694964656e74697479436c61696d31000000086964656e74697479000000056e616d65640000000f"
        + "41646140636f6e746f736f2e636f6d00000003776562000000066f72646572730000000a3137393533343136"
        + "363000000007323032362d3131"

    /// HMAC-SHA-256 of that, with a key of twenty bytes 0x0B.
    static let code = "41231491416bbbc5e3a7a6466bc63c78c96b633c7a5f64e519b1752841d79f5f"

    /// The header with both.
    static let header =
        "identity=Ada@contoso.com;iss=web;aud=orders;exp=1795341660;kid=2026-11"
        + ";sig=QSMUkUFru8Xjp6ZGa8Y8eMlrYzx6X2TlGbF1KEHXn18"

    /// `Zoë`, without a key's name.
    static let withoutKey =
        "4d756c74694964656e74697479436c61696d31000000086964656e74697479000000056e616d656400000004"
        + "5a6fc3ab00000003776562000000066f72646572730000000a3137393533343136363000000000"

    /// Nobody.
    static let nobody =
        "4d756c74694964656e74697479436c61696d31000000086964656e74697479000000066e6f626f6479000000"
        + "0000000003776562000000066f72646572730000000a3137393533343136363000000007323032362d3131"
}
