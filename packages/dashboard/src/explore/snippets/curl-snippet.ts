import { bodyOf, type AskedRequest } from "../request-of.ts";
import { ENDPOINT_PATH } from "./endpoint-path.ts";

/** A text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The request for a shell; the key comes from ALMANAC_API_KEY. */
export function curlSnippet(baseUrl: string, request: AskedRequest): string {
  return [
    `curl --silent --show-error ${quoted(baseUrl + ENDPOINT_PATH)}`,
    `  --header "Authorization: Bearer $ALMANAC_API_KEY"`,
    `  --header 'Content-Type: application/json'`,
    `  --data ${quoted(JSON.stringify(bodyOf(request)))}`,
  ].join(" \\\n");
}
