import { ERRORS } from "../../definition/errors.ts";
import type { JsonSchema } from "./json-schema.ts";

const text: JsonSchema = { type: "string" };
const maybeMoment: JsonSchema = { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] };

function object(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  return {
    type: "object",
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    properties,
  };
}

/** The schemas that every dataset shares: envelope, coverage, format, failure. */
export const SHARED_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  FormatterConfig: {
    type: "object",
    additionalProperties: false,
    properties: {
      format_type: { enum: ["raw", "typed", "csv", "ndjson", "parquet", "arrow"], default: "raw" },
    },
  },
  Coverage: object(
    {
      complete: { type: "boolean", description: "False whenever rows that exist upstream could be missing." },
      from: maybeMoment,
      to: maybeMoment,
      gaps: { type: "array", items: object({ from: text, to: { anyOf: [text, { type: "null" }] }, reason: text }) },
      reasons: { type: "array", items: text },
    },
    ["reasons"],
  ),
  Answer: object(
    {
      data: object({ results: { type: "array", items: { type: "object" } } }),
      pagination: object({
        limit: { type: "integer" },
        offset: { type: "integer" },
        has_more: { type: "boolean" },
        next_cursor: { anyOf: [text, { type: "null" }] },
      }),
      params: { type: "object", additionalProperties: text, description: "The filters as applied, defaults included." },
      coverage: { $ref: "#/components/schemas/Coverage" },
      warnings: { type: "array", items: text },
      timestamp: { type: "string", format: "date-time" },
      request_id: text,
    },
    ["warnings"],
  ),
  Error: object({
    error: object(
      {
        code: { enum: Object.keys(ERRORS) },
        message: text,
        request_id: text,
        details: {
          type: "array",
          items: object({ path: text, problem: text, expected: text, got: text }, ["expected", "got"]),
        },
        docs: { type: "string", format: "uri" },
      },
      ["details"],
    ),
  }),
};
