package authz

import rego.v1

default allow := false

managed if input.subject.properties.managed

alone if count(input.subject.properties.actors) == 0

# What is managed is saved anywhere but on this machine, and by support nowhere else than in its own space.
allow if {
	input.action.name == "save"
	managed
	alone
	input.resource.type != "localStorage"
}

allow if {
	input.action.name == "save"
	managed
	input.resource.type == "space"
	input.resource.id == input.subject.id
}

allow if {
	input.action.name == "open"
	input.subject.type == "identity"
	input.resource.type != "deviceInput"
}

allow if {
	input.action.name == "share"
	input.resource.id == "bob@contoso.com"
}

allow if {
	input.action.name == "notify"
	input.resource.properties.showing == "withoutDetails"
}

allow if input.action.name == "log"
