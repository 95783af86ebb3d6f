import { costText } from "../cost-text.ts";
import { EXAMPLE_SAMPLE, examplesOf, type ExampleValues } from "../../definition/example-values.ts";
import type { Column, Format } from "../../definition/column.ts";
import type { DatasetDefinition } from "../../definition/dataset.ts";
import { isAlwaysRequired, type Param } from "../../definition/param.ts";

/** polymarket-trades → PolymarketTrades. */
export function schemaName(dataset: DatasetDefinition): string {
  return dataset.name
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

/** The schemas of one dataset: its request, its row in raw and in typed, its answer. */
export function datasetSchemas(
  dataset: DatasetDefinition,
  values: ExampleValues = EXAMPLE_SAMPLE.values,
): Record<string, JsonSchema> {
  const name = schemaName(dataset);
  return {
    [`${name}Request`]: requestSchema(dataset, values),
    [`${name}Row`]: rowSchema(dataset, "raw"),
    [`${name}TypedRow`]: rowSchema(dataset, "typed"),
    [`${name}Answer`]: answerSchema(name),
  };
}

function requestSchema(dataset: DatasetDefinition, values: ExampleValues): JsonSchema {
  const required = Object.entries(dataset.params).filter(([, param]) => isAlwaysRequired(param));
  const hasRequired = required.length > 0;
  return {
    type: "object",
    title: dataset.title,
    description: dataset.summary,
    "x-cost": costText(dataset),
    required: ["agent_id", ...(hasRequired ? ["params"] : [])],
    additionalProperties: false,
    properties: {
      agent_id: { const: dataset.agentId, type: "integer", description: dataset.title },
      params: {
        type: "object",
        additionalProperties: false,
        ...(hasRequired ? { required: required.map(([name]) => name) } : {}),
        properties: Object.fromEntries(
          Object.entries(dataset.params).map(([name, param]) => [name, paramSchema(param)]),
        ),
      },
      pagination: paginationSchema(dataset),
      formatter_config: { $ref: "#/components/schemas/FormatterConfig" },
    },
    examples: examplesOf(dataset, values).map((example) => ({ agent_id: dataset.agentId, params: example.params })),
  };
}

function paramSchema(param: Param): JsonSchema {
  const { description: form, ...schema } = param.schema;
  const unless = param.defaultUnless === undefined ? "" : `No default with ${param.defaultUnless}.`;
  const notes = [param.about, typeof form === "string" ? `${form}.` : "", unless].filter((note) => note !== "");
  const off = isAlwaysRequired(param) ? [] : param.offValues;
  const unset = off.length > 0 ? { enum: off, description: "No filter." } : { enum: [""], description: "The default." };
  return {
    anyOf: isAlwaysRequired(param) ? [schema] : [schema, unset],
    description: notes.join(" "),
    ...(param.defaultText === undefined ? {} : { default: param.defaultText }),
    "x-type": param.type,
    "x-off-values": off,
    ...(param.aliases.length > 0 ? { "x-aliases": param.aliases } : {}),
  };
}

function paginationSchema(dataset: DatasetDefinition): JsonSchema {
  return {
    type: "object",
    additionalProperties: false,
    properties: {
      limit: { type: "integer", minimum: 1, maximum: dataset.limit.max, default: dataset.limit.default },
      offset: { type: "integer", minimum: 0, default: 0 },
      cursor: { type: "string", description: "next_cursor of the previous page; excludes offset." },
    },
  };
}

function rowSchema(dataset: DatasetDefinition, format: Format): JsonSchema {
  const columns = Object.entries(dataset.row);
  return {
    type: "object",
    description: `Order: ${dataset.order}.`,
    required: columns.map(([name]) => name),
    additionalProperties: false,
    properties: Object.fromEntries(columns.map(([name, column]) => [name, columnSchema(column, format)])),
  };
}

function columnSchema(column: Column, format: Format): JsonSchema {
  const notes = {
    description: column.about,
    ...(column.unit === undefined ? {} : { "x-unit": column.unit }),
    "x-wire-type": column.wire,
  };
  const schema = column.json[format];
  return column.nullable ? { anyOf: [schema, { type: "null" }], ...notes } : { ...schema, ...notes };
}

function answerSchema(name: string): JsonSchema {
  return {
    allOf: [
      { $ref: "#/components/schemas/Answer" },
      {
        type: "object",
        properties: {
          data: {
            type: "object",
            required: ["results"],
            properties: { results: { anyOf: [rowsOf(`${name}Row`), rowsOf(`${name}TypedRow`)] } },
          },
        },
      },
    ],
  };
}

function rowsOf(row: string): JsonSchema {
  return { type: "array", items: { $ref: `#/components/schemas/${row}` } };
}

/** A JSON Schema or a part of an OpenAPI document: plain JSON. */
export type JsonSchema = Readonly<Record<string, unknown>>;
