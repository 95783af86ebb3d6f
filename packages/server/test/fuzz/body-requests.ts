import type { FuzzMatter, FuzzRequest } from "./fuzz-request.ts";
import { HOSTILE_VALUES } from "./hostile-values.ts";
import type { Random } from "./random.ts";

const requested = (
  matter: FuzzMatter,
  kind: string,
  body: string | Buffer,
  right?: readonly number[],
): FuzzRequest => ({
  kind,
  method: "POST",
  path: matter.path,
  headers: { authorization: `Bearer ${matter.key}`, "content-type": "application/json" },
  body,
  ...(right ? { right } : {}),
});

/** A valid body with a few bytes changed, removed, repeated or inserted. */
export function mutatedBody(matter: FuzzMatter, random: Random): FuzzRequest {
  const dataset = random.pick(matter.datasets);
  const params = Object.fromEntries(dataset.params.slice(0, 3).map((param) => [param.name, param.sample]));
  const bytes = [...Buffer.from(JSON.stringify({ agent_id: dataset.agentId, params, pagination: { limit: 2 } }))];
  for (let change = 0; change <= random.below(4); change += 1) {
    const at = random.below(bytes.length);
    const way = random.below(4);
    if (way === 0) bytes[at] = random.below(256);
    if (way === 1) bytes.splice(at, 1 + random.below(5));
    if (way === 2)
      bytes.splice(
        at,
        0,
        ...Buffer.from(
          random.pick(["{", "}", "[", "]", '"', "\\", ",", ":", "null", "\\u0000", "\\ud800", "1e999", "\u0000"]),
        ),
      );
    if (way === 3) bytes.push(...bytes.slice(at));
  }
  return requested(matter, "mutated body", Buffer.from(bytes), [200, 400, 404]);
}

/** The same field twice, at the top, in the parameters or in the page. */
export function doubledField(matter: FuzzMatter, random: Random): FuzzRequest {
  const { agentId, params } = random.pick(matter.datasets);
  const [name, value, other] = [random.pick(params).name, "1", random.pick(HOSTILE_VALUES)].map((text) =>
    JSON.stringify(text),
  );
  const body = random.pick([
    `{"agent_id":${agentId},"params":{${name}:${value},${name}:${other}}}`,
    `{"agent_id":${agentId},"agent_id":${other},"params":{}}`,
    `{"agent_id":${agentId},"params":{},"params":{${name}:${other}}}`,
    `{"agent_id":${agentId},"pagination":{"limit":1,"limit":${other}}}`,
    `{"agent_id":${agentId},"params":{"__proto__":{${name}:${other}}},"__proto__":{"agent_id":574}}`,
  ]);
  return requested(matter, "doubled field", body);
}

export function notAnObject(matter: FuzzMatter, random: Random): FuzzRequest {
  const text = random.pick([
    "",
    " ",
    "null",
    "1",
    '"a"',
    "[]",
    "[1",
    "{",
    "{}}",
    "{'a':1}",
    "{a:1}",
    "undefined",
    "NaN",
    "\u0000",
    "<xml/>",
    "agent_id=574",
    '{"a":1,}',
    "{} {}",
    "\ufeff",
  ]);
  return requested(matter, "not an object", text, [400]);
}

export function deepNesting(matter: FuzzMatter, random: Random): FuzzRequest {
  const depth = random.pick([33, 100, 1000, 5000, 30_000]);
  const text = random.pick([
    "[".repeat(depth),
    `${"[".repeat(depth)}${"]".repeat(depth)}`,
    `{"agent_id":574,"params":${'{"a":'.repeat(Math.min(depth, 6000))}1${"}".repeat(Math.min(depth, 6000))}}`,
    `{"agent_id":574,"params":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}`,
  ]);
  return requested(matter, "deep nesting", text, [400]);
}

export function largeBody(matter: FuzzMatter, random: Random): FuzzRequest {
  const size = random.pick([65_537, 100_000, 1_000_000]);
  const text = random.pick([
    `{"agent_id":574,"params":{"a":"${"x".repeat(size)}"}}`,
    `{"agent_id":574${" ".repeat(size)}}`,
    `{"agent_id":574,"params":{${'"k":"v",'.repeat(Math.ceil(size / 8))}"k":"v"}}`,
  ]);
  return requested(matter, "large body", text, [413]);
}

/** Bodies close to the size limit: thousands of fields, a huge number, long names. */
export function crowdedBody(matter: FuzzMatter, random: Random): FuzzRequest {
  const { agentId } = random.pick(matter.datasets);
  const text = random.pick([
    `{"agent_id":${agentId},"params":{${Array.from({ length: 4000 }, (_, index) => `"k${index}":"v"`).join(",")}}}`,
    `{"agent_id":${agentId},${Array.from({ length: 4000 }, (_, index) => `"k${index}":1`).join(",")}}`,
    `{"agent_id":${"9".repeat(60_000)}}`,
    `{"agent_id":1${"0".repeat(400)}.5}`,
    `{"agent_id":1e${"9".repeat(30)}}`,
    `{"${"k".repeat(60_000)}":1}`,
    `{"agent_id":${agentId},"params":{"${"k".repeat(60_000)}":"1"}}`,
    `{"agent_id":${agentId},"params":{"k":"${"\\u0000".repeat(9000)}"}}`,
  ]);
  return requested(matter, "crowded body", text, [400]);
}

export function brokenText(matter: FuzzMatter, random: Random): FuzzRequest {
  const { agentId, params } = random.pick(matter.datasets);
  const name = JSON.stringify(random.pick(params).name);
  const escape = random.pick(["\\ud800", "\\udfff", "\\udc00\\ud800", "a\\uD83Db", "\\ud83d\\ud83d\\ude00"]);
  const bytes = random.pick([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80]]);
  const [before, after] = [`{"agent_id":${agentId},"params":{${name}:"`, '"}}'];
  const body = random.chance(0.5)
    ? before + escape + after
    : Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
  return requested(matter, "broken text", body, [400]);
}
