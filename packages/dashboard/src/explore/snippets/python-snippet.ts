import { bodyOf, type AskedRequest } from "../request-of.ts";
import { ENDPOINT_PATH } from "./endpoint-path.ts";

/** The request for Python 3 with nothing installed; the key comes from ALMANAC_API_KEY. */
export function pythonSnippet(baseUrl: string, request: AskedRequest): string {
  return `import json
import os
import sys
import urllib.error
import urllib.request

body = ${JSON.stringify(bodyOf(request), null, 4)}

request = urllib.request.Request(
    ${JSON.stringify(baseUrl + ENDPOINT_PATH)},
    data=json.dumps(body).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["ALMANAC_API_KEY"],
        "Content-Type": "application/json",
    },
)
try:
    with urllib.request.urlopen(request, timeout=60) as response:
        answer = json.load(response)
except urllib.error.HTTPError as error:
    sys.exit(error.read().decode())

print(json.dumps(answer["data"]["results"], indent=2))
if not answer["coverage"]["complete"]:
    print("rows may be missing:", answer["coverage"].get("reasons"), file=sys.stderr)
if answer["pagination"]["has_more"]:
    print("there is more: ask again with cursor", answer["pagination"]["next_cursor"], file=sys.stderr)
`;
}
