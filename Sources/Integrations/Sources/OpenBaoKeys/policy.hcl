# The rights that OpenBaoKeys needs on the transit engine, and no others: no key can be read, exported or listed.
path "transit/keys/identity-*" {
  capabilities = ["create", "read", "update", "delete"]
}
path "transit/hmac/identity-*" {
  capabilities = ["update"]
}
