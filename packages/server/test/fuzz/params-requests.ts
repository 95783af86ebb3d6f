import type { FuzzDataset, FuzzMatter, FuzzRequest } from "./fuzz-request.ts";
import { HOSTILE_VALUES } from "./hostile-values.ts";
import type { Random } from "./random.ts";

const FORMATS = ["raw", "typed", "csv", "ndjson", "parquet", "arrow"] as const;
const ENCODINGS = ["gzip", "br", "zstd", "gzip;q=0.5, br;q=0.4, *;q=0", "identity", "deflate, compress"];
const NOT_STRINGS = [null, true, false, 0, 1, -1, 1.5, 1e308, [], ["a"], {}, { a: "b" }, [[[]]], [null]];
const NOT_INTEGERS = [
  "574",
  "574.0",
  574.5,
  -0.1,
  1e308,
  9007199254740992,
  null,
  true,
  [574],
  { id: 574 },
  "",
  "0x23e",
  "𝟝𝟟𝟜",
];

const requested = (matter: FuzzMatter, kind: string, body: unknown, right?: readonly number[]): FuzzRequest => ({
  kind,
  method: "POST",
  path: matter.path,
  headers: { authorization: `Bearer ${matter.key}`, "content-type": "application/json" },
  body: JSON.stringify(body),
  ...(right ? { right } : {}),
});

const required = (dataset: FuzzDataset): Record<string, string> =>
  Object.fromEntries(dataset.params.filter((param) => param.required).map((param) => [param.name, param.sample]));

/** A prime above the number of values times parameters, so its multiples cover all of them. */
const STRIDE = 1_299_709;

/** Number of hostile values times parameters. */
export const countHostile = (datasets: readonly FuzzDataset[]): number =>
  datasets.reduce((sum, { params }) => sum + params.length, 0) * HOSTILE_VALUES.length;

/** One hostile value in one parameter of one dataset, by its index among all of them. */
export function hostileValue(matter: FuzzMatter, place: number): FuzzRequest {
  const pair = (place * STRIDE) % countHostile(matter.datasets);
  const value = HOSTILE_VALUES[pair % HOSTILE_VALUES.length];
  let left = Math.floor(pair / HOSTILE_VALUES.length);
  const dataset = matter.datasets.find(({ params }) => (left -= params.length) < 0);
  const param = dataset?.params.at(left);
  if (dataset === undefined || param === undefined) throw new RangeError(`no parameter at place ${place}`);
  const params = { ...required(dataset), [param.name]: value };
  return requested(
    matter,
    "hostile value",
    { agent_id: dataset.agentId, params, pagination: { limit: 2 } },
    [200, 400],
  );
}

/** Requests that are mostly valid: several parameters at once, every format, deep pages. */
export function plausible(matter: FuzzMatter, random: Random): FuzzRequest {
  const dataset = random.pick(matter.datasets);
  const params = required(dataset);
  for (const param of dataset.params) {
    if (random.chance(0.3)) params[param.name] = random.chance(0.7) ? param.sample : random.pick(HOSTILE_VALUES);
  }
  const offset = random.pick([undefined, 0, 1, 7, 100, 99_999, 100_001, 1e12, Number.MAX_SAFE_INTEGER]);
  const format = random.chance(0.5) ? random.pick(FORMATS) : undefined;
  const body = {
    agent_id: dataset.agentId,
    params,
    pagination: { limit: random.pick([1, 2, 10, 50]), ...(offset === undefined ? {} : { offset }) },
    ...(format === undefined ? {} : { formatter_config: { format_type: format } }),
  };
  const request = requested(matter, "plausible", body, [200, 400]);
  const coding = random.chance(0.5) ? { "accept-encoding": random.pick(ENCODINGS) } : {};
  return { ...request, headers: { ...request.headers, ...coding }, format: format ?? "raw" };
}

export function unknownParameter(matter: FuzzMatter, random: Random): FuzzRequest {
  const dataset = random.pick(matter.datasets);
  const known = random.pick(dataset.params).name;
  const at = random.below(known.length + 1);
  const name = random.pick([
    `${known.slice(0, at)}_${known.slice(at)}`,
    `${known}s_`,
    known.toUpperCase(),
    ` ${known}`,
    `${known}\u0000`,
    random.text(12),
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "",
    "params.limit",
    "x".repeat(5000),
    random.pick(HOSTILE_VALUES),
  ]);
  const value = JSON.stringify(random.chance(0.5) ? "1" : random.pick(HOSTILE_VALUES));
  const others = Object.entries(required(dataset)).map(
    ([key, text]) => `,${JSON.stringify(key)}:${JSON.stringify(text)}`,
  );
  // Written as text: an object literal would swallow __proto__.
  const body = `{"agent_id":${dataset.agentId},"params":{${JSON.stringify(name)}:${value}${others.join("")}}}`;
  const isKnown = dataset.params.some((param) => param.name === name);
  return { ...requested(matter, "unknown parameter", {}), body, right: isKnown ? [200, 400] : [400] };
}

export function wrongType(matter: FuzzMatter, random: Random): FuzzRequest {
  const dataset = random.pick(matter.datasets);
  const right = { agent_id: dataset.agentId, params: required(dataset), pagination: { limit: 2, offset: 0 } };
  const param = random.pick(dataset.params).name;
  const bad = random.pick(NOT_STRINGS);
  const body = random.pick<Record<string, unknown>>([
    { ...right, params: { ...right.params, [param]: bad } },
    { ...right, agent_id: random.pick(NOT_INTEGERS) },
    { params: right.params },
    { ...right, params: random.pick<unknown>([null, [], "a", 1, true]) },
    {
      ...right,
      pagination: random.pick<unknown>([
        null,
        [],
        "10",
        10,
        { limit: "10" },
        { limit: null },
        { offset: "0" },
        { limit: 1.5 },
        { limit: [] },
        { page: 2 },
      ]),
    },
    {
      ...right,
      formatter_config: random.pick<unknown>([
        [],
        "raw",
        { format_type: 1 },
        { format_type: "xml" },
        { format_type: "RAW\u0000" },
        { format_type: null },
      ]),
    },
    { ...right, [random.text(8)]: bad },
    { ...right, query: "SELECT 1" },
  ]);
  const isEmpty = body["params"] === null || body["pagination"] === null;
  return requested(matter, "wrong type", body, isEmpty ? [200, 400] : [400]);
}

export function unknownAgent(matter: FuzzMatter, random: Random): FuzzRequest {
  const known = new Set(matter.datasets.map((dataset) => dataset.agentId));
  const id = random.pick([
    0,
    -1,
    1,
    573_000,
    2 ** 31,
    Number.MAX_SAFE_INTEGER,
    -Number.MAX_SAFE_INTEGER,
    random.below(1_000_000),
  ]);
  return requested(matter, "unknown agent", { agent_id: id, params: {} }, known.has(id) ? [200, 400] : [404]);
}

export function extremePage(matter: FuzzMatter, random: Random): FuzzRequest {
  const dataset = random.pick(matter.datasets);
  const beyond = [0, -1, dataset.maxLimit + 1, 10_001, 1e6, 1e15, 2 ** 53, 1e308, -1e308, 0.5];
  const isLimit = random.chance(0.5);
  const limit = isLimit ? random.pick(beyond) : random.pick([1, 200, dataset.maxLimit]);
  const offset = random.pick([0, 1, 10 ** 6, 10 ** 9, 10 ** 12, 2 ** 53 - 1]);
  const body = { agent_id: dataset.agentId, params: required(dataset), pagination: { limit, offset } };
  return requested(matter, "extreme page", body, isLimit ? [400] : [200]);
}

export function mutatedCursor(matter: FuzzMatter, random: Random): FuzzRequest {
  const dataset = random.pick(matter.datasets);
  const found = dataset.cursors.length > 0 && random.chance(0.8) ? random.pick(dataset.cursors) : undefined;
  if (found === undefined) {
    const cursor = random.pick([
      random.text(1 + random.below(200)),
      random.pick(HOSTILE_VALUES),
      "A".repeat(4097),
      Buffer.from('[1,"","",[]]').toString("base64url"),
    ]);
    return requested(
      matter,
      "random cursor",
      { agent_id: dataset.agentId, params: required(dataset), pagination: { cursor } },
      cursor === "" ? [200] : [400],
    );
  }
  const at = random.below(found.cursor.length);
  const swapped = found.cursor[at] === "A" ? "B" : "A";
  const cursor = random.pick([
    found.cursor.slice(0, at) + swapped + found.cursor.slice(at + 1),
    found.cursor.slice(0, at),
    found.cursor.slice(at + 1),
    found.cursor + random.text(4),
    found.cursor,
  ]);
  const body = { agent_id: dataset.agentId, params: found.params, pagination: { limit: 2, cursor } };
  // The last character of base64 may have unused bits, so a changed one can still be the same cursor.
  const isSame = Buffer.from(cursor, "base64url").equals(Buffer.from(found.cursor, "base64url"));
  return requested(matter, "mutated cursor", body, isSame || cursor === "" ? [200] : [400]);
}
