import { afterAll, beforeAll, expect, test } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import type { Param } from "../../src/definition/param.ts";
import { openSampledQuery } from "../fixtures/open-sampled-query.ts";
import { SAMPLE_PARAMS } from "../fixtures/sample-rows.ts";

let store: Awaited<ReturnType<typeof openSampledQuery>>["store"];
let query: Awaited<ReturnType<typeof openSampledQuery>>["query"];
beforeAll(async () => {
  ({ store, query } = await openSampledQuery());
});
afterAll(() => store.close());

/** The bounds that the refusal of a value states. */
function boundsOf([name, { type, parse }]: [string, Param]): (readonly [string, string])[] {
  if (type !== "number" && type !== "integer") return [];
  const refused = parse("not a number");
  const [, least, most] =
    (refused.ok ? null : /^a (?:whole )?number from (\S+) to (\S+)$/.exec(refused.expected)) ?? [];
  if (least === undefined || most === undefined) throw new Error(`${name} states no bounds`);
  return [
    [name, least],
    [name, most],
  ];
}

const numbered = datasets.flatMap((dataset) => {
  const bounds = Object.entries(dataset.params).flatMap(boundsOf);
  return bounds.length === 0 ? [] : [[dataset.name, dataset.agentId, bounds] as const];
});

test.each(numbered)("%s answers with every number at its bounds", async (_name, agentId, bounds) => {
  for (const [name, bound] of bounds) {
    const params = { ...SAMPLE_PARAMS[agentId], [name]: bound };
    await expect(query.answer(agentId, { params }), `${name} = ${bound}`).resolves.toBeDefined();
  }
});
