import { ERRORS } from "../../definition/errors.ts";
import type { JsonSchema } from "./json-schema.ts";

const seconds = (description: string): JsonSchema => ({ description, schema: { type: "integer" } });

const endpointErrors = Object.entries(ERRORS).filter(([, error]) => !("isConsoleOnly" in error));

/** Status → response, with the codes that come under it. */
export function errorResponses(): Record<string, JsonSchema> {
  const statuses = [...new Set(endpointErrors.map(([, error]) => error.status))].sort((a, b) => a - b);
  return Object.fromEntries(statuses.map((status) => [String(status), responseOf(status)]));
}

function responseOf(status: number): JsonSchema {
  const codes = endpointErrors.filter(([, error]) => error.status === status);
  const isRetried = status === 429 || status === 503;
  return {
    description: codes.map(([code, error]) => `${code}: ${error.title}.`).join(" "),
    headers: {
      "X-Request-Id": { description: "What to tell the operator.", schema: { type: "string" } },
      ...(isRetried ? { "Retry-After": seconds("Seconds to wait.") } : {}),
      ...(status === 401 ? { "WWW-Authenticate": { description: "Bearer.", schema: { type: "string" } } } : {}),
    },
    content: {
      "application/json": {
        schema: {
          allOf: [
            { $ref: "#/components/schemas/Error" },
            { properties: { error: { properties: { code: { enum: codes.map(([code]) => code) } } } } },
          ],
        },
      },
    },
  };
}
