import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import type { BlockScope } from "../../src/definition/spans.ts";
import { fromDefinition, sql, bind } from "../../src/definition/sql.ts";
import type { InsertRow, TableDefinition } from "../../src/definition/table.ts";
import { createHeldRows } from "../../src/store/held-rows.ts";
import { openStore, type OpenStore } from "../../src/store/open-store.ts";
import type { InsertMode } from "../../src/store/store.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { FILL_START, fill, hex, market, table } from "../fixtures/sample-rows.ts";

const STEPS = thoroughly(1500, 60);
const random = seededRandom();
const below = (count: number): number => Math.floor(random() * count);
const [fills, markets, tokens] = ["polymarket_fills", "polymarket_markets", "polymarket_tokens"].map(table) as [
  TableDefinition,
  TableDefinition,
  TableDefinition,
];

/** Two databases of one engine: `plain` compares everything, `holding` knows what it stored in `bare`. */
let plain: OpenStore;
let bare: OpenStore;
let holding: OpenStore;

beforeAll(async () => {
  [plain, bare] = await Promise.all([openTestStore(false), openTestStore()]);
  holding = await openStore({ address: bare.address, isOwn: true });
});
afterAll(async () => {
  await holding.close();
  await Promise.all([plain.close(), bare.close()]);
});

const token = (index: number, slug: string): InsertRow => ({
  token_id: String(index),
  condition_id: hex(index),
  outcome_index: 0,
  outcome: "Yes",
  slug,
});
/** A fill as reported before the chain has it, and as the chain reports it. */
const early = (index: number): InsertRow => fill(index, { source: "data_api_v2", block_number: 0 });
const onChain = (index: number): InsertRow => fill(index, { order_hash: hex(index + 500), source: "chain_v2" });

const some = (make: (index: number) => InsertRow): InsertRow[] =>
  Array.from({ length: 1 + below(4) }, () => make(below(8)));

type Step = (store: OpenStore) => Promise<unknown>;
const inserting =
  (into: TableDefinition, rows: readonly InsertRow[], mode?: InsertMode): Step =>
  (store) =>
    store.insert(into, rows, mode);
const replacing =
  (rows: readonly InsertRow[], scope: BlockScope): Step =>
  (store) =>
    store.replace(fills, rows, { scope, before: () => Promise.resolve() });
const altering =
  (text: string): Step =>
  (store) =>
    store.alter(fromDefinition(text));

/** A random step as polls, sockets, erasures and reorganisations take. */
function nextStep(): Step {
  const at = below(8);
  const block = { from: 1000 + at, to: 1000 + at, since: iso(FILL_START + at), until: iso(FILL_START + at + 1) };
  const onwards = { ...block, to: block.to + 3, until: iso(FILL_START + (at + 3) * 30) };
  const steps: readonly (() => Step)[] = [
    () =>
      inserting(
        markets,
        some((index) => market(index, { question: `q${below(2)}` })),
      ),
    () =>
      inserting(
        tokens,
        some((index) => token(index, `s${below(2)}`)),
      ),
    () =>
      inserting(
        tokens,
        some((index) => token(index, `s${below(2)}`)),
        "if_absent",
      ),
    () => inserting(fills, some(early)),
    () => inserting(fills, some(onChain)),
    () => altering(`DELETE FROM polymarket_tokens WHERE token_id = ${at}`),
    () => replacing([], block),
    () => replacing([onChain(at)], block),
    () => replacing([at, ...[1, 2, 3].map((more) => at + more).filter(() => below(2) === 0)].map(onChain), onwards),
  ];
  return (steps[below(steps.length)] as () => Step)();
}

const iso = (second: number): string => new Date(second * 1000).toISOString();

/** Rows without their ingestion time and version. */
async function rowsOf(store: OpenStore, { name, key, columns }: TableDefinition): Promise<readonly string[]> {
  const shown = Object.keys(columns).filter((column) => !["ingested_at", "version"].includes(column));
  const final = "version" in columns ? " FINAL" : "";
  const rows = await store.rows<{ row: string }>(
    fromDefinition(
      `SELECT toString(tuple(${shown.join(", ")})) AS row FROM ${name}${final} ORDER BY ${key.join(", ")}`,
    ),
  );
  return rows.map(({ row }) => row);
}

test("a store that knows what it stored has the same rows as one that compares everything", async () => {
  for (let step = 0; step < STEPS; step += 1) {
    const take = nextStep();
    // Sources often send the same rows again.
    const times = 1 + below(3);
    for (let time = 0; time < times; time += 1) await Promise.all([plain, holding].map(take));
  }
  for (const one of [fills, markets, tokens])
    expect(await rowsOf(holding, one), one.name).toEqual(await rowsOf(plain, one));
});

test("does not compare rows that are sent again unchanged, but compares others", async () => {
  const passed: unknown[] = [];
  const held = createHeldRows(true, () => plain);
  const writer = {
    insert: (rows: readonly InsertRow[] | { starts: unknown }, mode?: InsertMode) => {
      passed.push(...(rows as readonly InsertRow[]).map((row) => [row["token_id"], row["slug"]]));
      return plain.insert(tokens, rows as readonly InsertRow[], mode);
    },
  };
  const insert = (rows: readonly InsertRow[], mode?: InsertMode) => held.insert([tokens, rows, mode], writer);
  expect(await insert([token(901, "a"), token(902, "a")])).toEqual({ stored: 2, known: 0 });
  expect(await insert([token(901, "a"), token(902, "b")])).toMatchObject({ stored: 1, known: 1 });
  expect(await insert([token(902, "a")])).toMatchObject({ stored: 1 });
  expect(await insert([token(901, "a"), token(902, "a")])).toMatchObject({ stored: 0, known: 2 });
  expect(await insert([token(901, "c"), token(903, "c")], "if_absent")).toMatchObject({ stored: 1, known: 1 });
  // After an if_absent insert the stored content is not known.
  expect(await insert([token(903, "c")])).toMatchObject({ stored: 0, known: 1 });
  await held.around(plain.alter)(sql`DELETE FROM ${tokens} WHERE token_id = ${bind("UInt256", "901")}`);
  expect(await insert([token(901, "a")])).toMatchObject({ stored: 1 });
  expect(passed.map(String)).toEqual(["901,a", "902,a", "902,b", "902,a", "903,c", "903,c", "901,a"]);
});

test("does not treat a row as known while a later batch may change it", async () => {
  const held = createHeldRows(true, () => plain);
  const ends: (() => void)[] = [];
  const insert = (slug: string) =>
    held.insert([tokens, [token(950, slug)]], {
      insert: () => new Promise((resolve) => void ends.push(() => resolve({ stored: 1, known: 0 }))),
    });
  const [first, second] = [insert("b"), insert("c")];
  ends[0]?.();
  await first;
  const third = insert("b");
  expect(ends).toHaveLength(3);
  for (const end of ends) end();
  await Promise.all([second, third]);
});
