import { EXAMPLE_SAMPLE, examplesOf, type ExampleValues } from "../../definition/example-values.ts";
import type { DatasetDefinition } from "../../definition/dataset.ts";
import { datasetSchemas, schemaName, type JsonSchema } from "./dataset-schemas.ts";
import { ERRORS } from "../../definition/errors.ts";

const text: JsonSchema = { type: "string" };
const maybeTimestamp: JsonSchema = { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] };

function object(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  return {
    type: "object",
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    properties,
  };
}

/** The schemas shared by all datasets: envelope, coverage, format, failure. */
const SHARED_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  FormatterConfig: {
    type: "object",
    additionalProperties: false,
    properties: {
      format_type: { enum: ["raw", "typed", "csv", "ndjson", "parquet", "arrow"], default: "raw" },
      csv_safe: {
        type: "boolean",
        default: false,
        description: "For csv: prefixes an apostrophe to each text that a spreadsheet would run as a formula.",
      },
    },
  },
  Coverage: object(
    {
      complete: { type: "boolean", description: "False if rows that exist upstream could be missing." },
      from: maybeTimestamp,
      to: maybeTimestamp,
      gaps: { type: "array", items: object({ from: text, to: { anyOf: [text, { type: "null" }] }, reason: text }) },
      reasons: { type: "array", items: text },
      index: {
        ...object({ from: maybeTimestamp, to: maybeTimestamp }),
        description: "What the serving index that answered holds; absent if the column engine answered.",
      },
    },
    ["reasons", "index"],
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

const seconds = (description: string): JsonSchema => ({ description, schema: { type: "integer" } });

const endpointErrors = Object.entries(ERRORS).filter(([, error]) => !("isConsoleOnly" in error));

/** Status → response, with the error codes of that status. */
function errorResponses(): Record<string, JsonSchema> {
  const statuses = [...new Set(endpointErrors.map(([, error]) => error.status))].sort((a, b) => a - b);
  return Object.fromEntries(statuses.map((status) => [String(status), responseOf(status)]));
}

function responseOf(status: number): JsonSchema {
  const codes = endpointErrors.filter(([, error]) => error.status === status);
  const isRetried = status === 429 || status === 503;
  return {
    description: codes.map(([code, error]) => `${code}: ${error.title}.`).join(" "),
    headers: {
      "X-Request-Id": { description: "Give it to the operator.", schema: { type: "string" } },
      ...(status === 401 ? {} : RATE_HEADERS),
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

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const string: JsonSchema = { schema: { type: "string" } };
const header = (description: string, schema: JsonSchema = { type: "string" }): JsonSchema => ({ description, schema });
const count = (description: string): JsonSchema => header(description, { type: "integer" });

/** Headers of every answer to an authenticated request. */
const RATE_HEADERS: JsonSchema = {
  "X-RateLimit-Limit": count("Units a minute."),
  "X-RateLimit-Burst": count("Burst in units: the maximum of X-RateLimit-Remaining."),
  "X-RateLimit-Remaining": count("Units left now."),
  "X-RateLimit-Reset": count(
    "Seconds until one more unit is available, 0 if the burst is full; in a 429 until the request is accepted.",
  ),
  RateLimit: header("Units left, in the form of draft-ietf-httpapi-ratelimit-headers-10."),
  "RateLimit-Policy": header("The burst and the seconds in which it refills, in that draft's form."),
  "X-Almanac-Cost": header("Units the request took from the bucket; 1 if it was refused before it was read.", {
    type: "integer",
    minimum: 1,
  }),
};

/** Headers of an answer with rows, whether they are sent or the caller has them already. */
const ROWS_HEADERS: JsonSchema = {
  ETag: header("Tag of the rows and of their completeness; for If-None-Match."),
  "X-Request-Id": header("Give it to the operator; a well-formed one that was sent is kept."),
  ...RATE_HEADERS,
  "X-Almanac-Coverage": header("Whether rows could be missing.", { enum: ["complete", "partial"] }),
  "X-Almanac-Warnings": header("What was ignored or interpreted differently from how it is written."),
};

/** OpenAPI 3.1 of the single endpoint, generated from the datasets' definitions. */
export function openapi(
  catalogue: readonly DatasetDefinition[],
  publicUrl: string,
  values: ExampleValues = EXAMPLE_SAMPLE.values,
): JsonSchema {
  return {
    openapi: "3.1.0",
    info: {
      title: "Almanac",
      version: "2",
      summary: "Every prediction market behind one endpoint.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: publicUrl }],
    security: [{ apiKey: [] }],
    paths: { "/api/v2/semantic/retrieve/parameterized": { post: operation(catalogue, values) } },
    components: {
      securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: "An API key: alm_live_…" } },
      schemas: {
        ...SHARED_SCHEMAS,
        ...Object.assign({}, ...catalogue.map((dataset) => datasetSchemas(dataset, values))),
      },
    },
  };
}

function operation(catalogue: readonly DatasetDefinition[], values: ExampleValues): JsonSchema {
  const requests = catalogue.map((dataset) => `${schemaName(dataset)}Request`);
  const mapping = Object.fromEntries(
    catalogue.map((dataset) => [String(dataset.agentId), `#/components/schemas/${schemaName(dataset)}Request`]),
  );
  return {
    operationId: "retrieve",
    summary: "Query a dataset",
    description:
      "Every filter is a string. Values that mean no filter are listed under x-off-values, other spellings of a name under x-aliases.",
    externalDocs: { url: "/docs" },
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { oneOf: requests.map(ref), discriminator: { propertyName: "agent_id", mapping } },
          examples: Object.fromEntries(catalogue.flatMap((dataset) => requestExamples(dataset, values))),
        },
      },
    },
    responses: {
      "200": success(catalogue),
      "304": { description: "The rows match the If-None-Match tag.", headers: ROWS_HEADERS },
      ...errorResponses(),
    },
  };
}

function requestExamples(dataset: DatasetDefinition, values: ExampleValues): [string, JsonSchema][] {
  return examplesOf(dataset, values).map((example, index) => [
    `${dataset.name}-${index + 1}`,
    { summary: `${dataset.title}: ${example.title}`, value: { agent_id: dataset.agentId, params: example.params } },
  ]);
}

function success(catalogue: readonly DatasetDefinition[]): JsonSchema {
  const binary: JsonSchema = { schema: { type: "string", format: "binary" } };
  return {
    description: "A page of rows. In formats other than JSON the body is the rows alone and the rest is in headers.",
    headers: {
      ...ROWS_HEADERS,
      "X-Almanac-Coverage-Reasons": header("Why the answer is partial; in formats other than JSON."),
      "X-Almanac-Has-More": header("In formats other than JSON.", { enum: ["true", "false"] }),
      "X-Almanac-Next-Cursor": header("Continues after the last row; in formats other than JSON."),
    },
    content: {
      "application/json": { schema: { anyOf: catalogue.map((dataset) => ref(`${schemaName(dataset)}Answer`)) } },
      "text/csv": string,
      "application/x-ndjson": string,
      "application/vnd.apache.parquet": binary,
      "application/vnd.apache.arrow.stream": binary,
    },
  };
}
