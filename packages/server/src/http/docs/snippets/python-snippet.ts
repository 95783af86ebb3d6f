import { bodyOf, ENDPOINT_PATH, type Asked } from "./snippet.ts";

/** The question by Python's own library. */
export function pythonSnippet(asked: Asked, publicUrl: string): string {
  return [
    "import json, os, urllib.request",
    "",
    `question = ${JSON.stringify(bodyOf(asked), null, 4)}`,
    "request = urllib.request.Request(",
    `    "${publicUrl}${ENDPOINT_PATH}",`,
    "    data=json.dumps(question).encode(),",
    "    headers={",
    '        "Authorization": "Bearer " + os.environ["ALMANAC_API_KEY"],',
    '        "Content-Type": "application/json",',
    "    },",
    ")",
    "with urllib.request.urlopen(request, timeout=60) as reply:",
    "    answer = json.load(reply)",
    'for row in answer["data"]["results"]:',
    "    print(row)",
  ].join("\n");
}
