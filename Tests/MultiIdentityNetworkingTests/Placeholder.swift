import Testing

@testable import MultiIdentityNetworking
