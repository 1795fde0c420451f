#!/usr/bin/env python3
"""Two policy engines that nobody here wrote, Rego's and Cedar's, each behind AuthZEN's access evaluation.

Usage: serve.py rego|cedar      prints the port, and answers POST /access/v1/evaluation until it is stopped
"""

import http.server
import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent


def rego():
    import regopy

    interpreter = regopy.Interpreter()
    interpreter.add_module("authz", (FOLDER / "policy.rego").read_text())

    def decide(request):
        interpreter.set_input(request)
        # As a binding: a query that is false has no answer at all.
        output = interpreter.query("x := data.authz.allow")
        if not output.ok():
            raise ValueError(str(output))
        return json.loads(str(output))["bindings"]["x"]

    return decide


def cedar():
    import cedarpy

    policies = (FOLDER / "policy.cedar").read_text()

    def decide(request):
        subject, resource = request["subject"], request["resource"]
        principal, thing = {"type": "Subject", "id": subject["id"]}, {"type": "Resource", "id": resource["id"]}
        entities = [
            {"uid": principal, "parents": [],
             "attrs": {"id": subject["id"], "type": subject["type"], **subject["properties"]}},
            {"uid": thing, "parents": [], "attrs": {"id": resource["id"], "type": resource["type"], **resource["properties"]}},
        ]
        asked = {"principal": principal, "action": {"type": "Action", "id": request["action"]["name"]}, "resource": thing,
                 "context": {}}
        result = cedarpy.is_authorized(asked, policies, entities)
        if result.diagnostics.errors:
            raise ValueError(str(result.diagnostics.errors))
        return result.decision == cedarpy.Decision.Allow

    return decide


class Handler(http.server.BaseHTTPRequestHandler):
    decide = None

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status, answer = 404, {}
        if self.path == "/access/v1/evaluation":
            try:
                status, answer = 200, {"decision": type(self).decide(json.loads(body))}
            except Exception as error:  # of the engine: a question that it cannot answer
                print(f"{error!r} on {body!r}", file=sys.stderr, flush=True)
                status, answer = 500, {"error": repr(error)}
        text = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


if sys.argv[1:] not in (["rego"], ["cedar"]):
    sys.exit(__doc__)
decide = rego() if sys.argv[1] == "rego" else cedar()
Handler.decide = staticmethod(decide)
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
