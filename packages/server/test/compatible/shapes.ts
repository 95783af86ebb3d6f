import { datasets } from "../../src/catalogue.ts";
import type { DatasetDefinition } from "../../src/definition/dataset.ts";
import type { Param } from "../../src/definition/param.ts";
import { SAMPLE_PARAMS } from "../fixtures/sample-rows.ts";
import { ENDPOINT } from "../../src/http/create-api.ts";
import { sampleOf } from "../fuzz/samples.ts";
import type { Body, How } from "./open-both-modes.ts";

/** A request as some program sends it, and the answer to a strict key: rows, or an error code. */
export type Shape = {
  readonly of: string;
  readonly strict: string;
  readonly isEmpty?: boolean | undefined;
  readonly body: Body;
  readonly how?: How | undefined;
};

type Variation = Omit<Shape, "of" | "body"> & { readonly what: string; readonly change: Body; readonly params?: Body };

const required = ({ agentId }: DatasetDefinition): Body => SAMPLE_PARAMS[agentId] ?? {};

const OLDER = "/api/v1/retrieval/parameterized";

/** Bodies that differ from the documented one outside `params`. */
const AROUND: readonly Variation[] = [
  { what: "params and config null", strict: "rows", change: { pagination: null, formatter_config: null } },
  { what: "unknown config key", strict: "rows", change: { formatter_config: { format_type: "raw", indent: 2 } } },
  { what: "unknown top-level key", strict: "INVALID_REQUEST", change: { stream: false, user: "me" } },
  { what: "unknown pagination key", strict: "INVALID_PAGINATION", change: { pagination: { limit: 5, page: 1 } } },
  { what: "limit as text", strict: "INVALID_PAGINATION", change: { pagination: { limit: "5", offset: "0" } } },
  { what: "limit null", strict: "INVALID_PAGINATION", change: { pagination: { limit: null, offset: 0 } } },
  { what: "unknown parameter", strict: "INVALID_PARAMS", change: {}, params: { request_source: "bot" } },
  { what: "a slash at the end", strict: "rows", change: {}, how: { path: `${ENDPOINT}/` } },
  { what: "events accepted", strict: "rows", change: {}, how: { accept: "text/event-stream" } },
  { what: "HTML accepted", strict: "rows", change: {}, how: { accept: "text/html" } },
  { what: "the older path", strict: "rows", change: { limit: 2, offset: 0 }, how: { path: OLDER } },
];

/** Intervals are case-sensitive. */
const isWord = ({ choices, type }: Param): boolean =>
  choices === undefined ? type === "slug or ticker" : !choices.some((choice) => /^\d/.test(choice));

const otherCase = (text: string): string => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

/** Values of one parameter that deviate from the documentation. */
function around(name: string, param: Param, params: Body): Variation[] {
  const isNeeded = name in params;
  const one = (what: string, value: unknown, strict: string, isEmpty = false): Variation => ({
    what: `${name} ${what}`,
    strict,
    isEmpty,
    change: {},
    params: { [name]: value },
  });
  const sample = sampleOf(name, param);
  const isFigure = ["number", "integer"].includes(param.type);
  return [
    ...(isNeeded ? [] : [one("null", null, "INVALID_PARAMS"), one("empty", "", "rows")]),
    ...(param.mistaken === "nothing" ? [one("malformed", "0x12 !", "INVALID_PARAMS", true)] : []),
    ...(param.mistaken === "default" ? [one("unknown", "no_such_order", "INVALID_PARAMS")] : []),
    ...(isFigure ? [one("as a number", Number(sample), "INVALID_PARAMS")] : []),
    ...(param.type === "boolean" ? [one("as a boolean", true, "INVALID_PARAMS")] : []),
    ...(/^(?:min|max)_/.test(name) ? [one("-1", "-1", "rows"), one("ALL", "ALL", "rows")] : []),
    ...(param.type === "integer"
      ? [one("with places", `${sample}.0`, "rows"), one("as a power", `${sample}e0`, "rows")]
      : []),
    ...(isWord(param) ? [one("in other letters", otherCase(sample), "rows")] : []),
    ...param.aliases.map((alias) => ({
      what: `${name} as ${alias}`,
      strict: "rows",
      change: {},
      params: { [name]: undefined, [alias]: params[name] ?? sample },
    })),
  ];
}

function shapesOf(dataset: DatasetDefinition): Shape[] {
  const params = required(dataset);
  const own = Object.entries(dataset.params).flatMap(([name, param]) => around(name, param, params));
  const shapes = [...AROUND, ...own].map((variation): Shape => {
    const { what, change, params: more, strict, isEmpty, how } = variation;
    const body = { agent_id: dataset.agentId, params: { ...params, ...more }, ...change };
    return { of: `${dataset.agentId} ${what}`, body, strict, isEmpty, how };
  });
  const parameters = { agent_id: dataset.agentId, parameters: params };
  return [...shapes, { of: `${dataset.agentId} parameters`, strict: "INVALID_REQUEST", body: parameters }];
}

export const shapes: readonly Shape[] = datasets.flatMap((dataset) => shapesOf(dataset));
