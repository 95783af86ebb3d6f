import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDemo, type StartedDemo } from "../../../../scripts/browser/start-demo.ts";
import { datasets } from "../../src/catalogue.ts";
import { examplesOf } from "../../src/definition/example-values.ts";
import { findExampleValues } from "../../src/query/find-example-values.ts";

type Row = Record<string, unknown>;
type Told = {
  readonly data: { readonly results: Row[] };
  readonly coverage: { readonly complete: boolean; readonly reasons?: string[] };
};
type Example = { readonly name: string; readonly told: Told };

const LONG_MS = 900_000;
const LOOK_MS = 10_000;
const ROWS = 10;
/** What a demo truly lacks: what was said on a wire before it listened, and sources that are asked about some things alone. */
const TRUE_GAP =
  /^(Polymarket's live order books and tape|Kalshi order books|Bluesky posts): .*(is not stored, and cannot be had any more|is held from .* on)\.$|: only (posts|articles) that name/;

let started: StartedDemo;
beforeAll(async () => {
  started = await startDemo([]);
}, LONG_MS);
afterAll(() => started.stop());

async function ask(agentId: number, params: Readonly<Record<string, string>>, limit: number): Promise<Told> {
  const { base_url: baseUrl, api_key: key } = started.demo;
  const reply = await fetch(`${baseUrl}/api/v2/semantic/retrieve/parameterized`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ agent_id: agentId, params, pagination: { limit } }),
  });
  expect(reply.status).toBe(200);
  return (await reply.json()) as Told;
}

async function askAll(): Promise<Example[]> {
  const values = await findExampleValues(async (...asked) => (await ask(...asked)).data.results, Date.now());
  const asked: Example[] = [];
  for (const dataset of datasets)
    for (const { title, params } of examplesOf(dataset, values))
      asked.push({ name: `${dataset.name}: ${title}`, told: await ask(dataset.agentId, params, ROWS) });
  return asked;
}

const emptyOf = (all: readonly Example[]): string[] =>
  all.filter(({ told }) => told.data.results.length === 0).map(({ name }) => name);
const partialOf = (all: readonly Example[]): Example[] => all.filter(({ told }) => !told.coverage.complete);

test(
  "in a demo every example has rows, 95 % of them are complete, and the rest name what is truly missing",
  { timeout: LONG_MS },
  async () => {
    const isDone = (all: readonly Example[]): boolean =>
      emptyOf(all).length === 0 && partialOf(all).length <= 0.05 * all.length;
    const until = Date.now() + LONG_MS - 60_000;
    let all = await askAll();
    while (!isDone(all) && Date.now() < until) {
      await sleep(LOOK_MS);
      all = await askAll();
    }
    expect(emptyOf(all)).toEqual([]);
    const partial = partialOf(all);
    expect(partial.length, partial.map(({ name }) => name).join("; ")).toBeLessThanOrEqual(0.05 * all.length);
    const reasons = partial.flatMap(({ told }) => told.coverage.reasons ?? []);
    expect(reasons.filter((reason) => !TRUE_GAP.test(reason))).toEqual([]);
    expect(partial.every(({ told }) => (told.coverage.reasons ?? []).length > 0)).toBe(true);
  },
);
