# What OpenBaoKeys needs of the transit engine, and nothing else: no key can be read, exported or listed.
path "transit/keys/identity-*" {
  capabilities = ["create", "read", "update", "delete"]
}
path "transit/hmac/identity-*" {
  capabilities = ["update"]
}
