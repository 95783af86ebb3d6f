import { fromDefinition } from "../../packages/server/src/definition/sql.ts";
import { createStaging } from "../../packages/server/src/store/ddl.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import { publishRows } from "../../packages/server/src/store/publish-rows.ts";
import { polymarketFills } from "../../packages/server/src/tables/polymarket-fills.ts";
import { engineEvents } from "./engine-events.ts";
import { inNewStore } from "./in-new-store.ts";
import { madeFills, madeScale, madeTokens, type MadeScale } from "./made-fills.ts";
import { madeQuestions } from "./made-questions.ts";
import { pageCost, type PageCost } from "./page-costs.ts";
import { reloadTokens, type DictionaryCost } from "./reload-tokens.ts";
import { tableCosts, type TableCost } from "./table-costs.ts";
import { untilMerged } from "./until-merged.ts";

export type FillsOptions = {
  readonly folder: string;
  readonly sizes: readonly number[];
  readonly turns: number;
  readonly migrations: string;
};

export type FillsSize = {
  readonly fills: number;
  /** Since the last size, of making and storing in three orders, and of that with all merges. */
  readonly seconds: number;
  readonly insert_cpu_us_a_fill: number;
  readonly cpu_us_a_fill: number;
  readonly tables: readonly TableCost[];
  readonly dictionary: DictionaryCost;
  readonly pages: readonly PageCost[];
};

const STEP = 1_000_000;
const STAGED = "made_fills";
const SETTINGS = { max_threads: 1, max_insert_threads: 1, max_block_size: STEP, min_insert_block_size_rows: STEP };

/**
 * A store of made-up fills in the three sort orders of the real table, made inside the engine and stored by the service's
 * own statements; at each size the same questions. The first sizes are the beginning of the last one's half year.
 */
export async function growFills({ folder, sizes, turns, migrations }: FillsOptions): Promise<readonly FillsSize[]> {
  return await inNewStore({ folder, migrations }, async (store) => {
    await store.run(fromDefinition(createStaging(polymarketFills, STAGED)));
    const scale = madeScale(Math.max(...sizes));
    const grown: FillsSize[] = [];
    let from = 0;
    for (const size of sizes) {
      grown.push(await growTo(store, scale, { from, to: size, turns }));
      from = size;
      process.stderr.write(`${JSON.stringify(grown.at(-1))}\n`);
    }
    return grown;
  });
}

type Growth = { readonly from: number; readonly to: number; readonly turns: number };

async function growTo(store: OpenStore, scale: MadeScale, { from, to, turns }: Growth): Promise<FillsSize> {
  const began = performance.now();
  const before = await engineEvents(store);
  for (let at = from; at < to; at += STEP) {
    await insertStep(store, scale, at, Math.min(to, at + STEP));
    if ((at - from) % (10 * STEP) === 0) process.stderr.write(`${at} fills after ${seconds(began)} s\n`);
  }
  await store.run(madeTokens(scale, from, to));
  const inserted = await engineEvents(store);
  await untilMerged(store);
  const merged = await engineEvents(store);
  const took = seconds(began);
  const pages: PageCost[] = [];
  const dictionary = await reloadTokens(store);
  for (const question of await madeQuestions(store, scale, to)) {
    // The engine loads it again every 30 to 60 seconds: not in the middle of a question.
    await reloadTokens(store);
    pages.push(await pageCost(store, question, turns));
  }
  return {
    fills: to,
    seconds: took,
    insert_cpu_us_a_fill: (inserted.cpu_us - before.cpu_us) / (to - from),
    cpu_us_a_fill: (merged.cpu_us - before.cpu_us) / (to - from),
    // After the questions: they bring the indexes into memory.
    tables: await tableCosts(store),
    dictionary,
    pages,
  };
}

async function insertStep(store: OpenStore, scale: MadeScale, from: number, to: number): Promise<void> {
  const numbers = `SELECT number FROM numbers(${from}, ${to - from})`;
  await store.run(fromDefinition(`TRUNCATE TABLE ${STAGED}`));
  await store.run(fromDefinition(`INSERT INTO ${STAGED} ${madeFills(scale, numbers)}`), SETTINGS);
  await Promise.all(publishRows(polymarketFills, STAGED).map((statement) => store.run(statement, SETTINGS)));
}

const seconds = (since: number): number => Math.round((performance.now() - since) / 100) / 10;
