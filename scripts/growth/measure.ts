import { existsSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { openStore } from "../../packages/server/src/store/open-store.ts";
import { questionCosts, type QuestionCost } from "./question-costs.ts";
import { tableCosts, type TableCost } from "./table-costs.ts";

export type Measured = {
  readonly at: string;
  readonly folder: string;
  readonly load: readonly [before: number, after: number];
  readonly tables: readonly TableCost[];
  readonly questions: readonly QuestionCost[];
};

export type MeasureOptions = { readonly folder: string; readonly turns: number; readonly only: readonly string[] };

/** What a store takes and what its questions cost: questions first, since they bring the indexes into memory. */
export async function measure({ folder, turns, only }: MeasureOptions): Promise<Measured> {
  const columns = join(resolve(folder), "columns");
  if (!existsSync(columns)) throw new Error(`${folder} holds no store: give --folder the data folder of one`);
  const before = loadavg()[0] ?? Number.NaN;
  const store = await openStore({ folder: columns });
  try {
    const questions = turns === 0 ? [] : await questionCosts(store, { turns, only });
    const tables = await tableCosts(store);
    return { at: new Date().toISOString(), folder, load: [before, loadavg()[0] ?? Number.NaN], tables, questions };
  } finally {
    await store.close();
  }
}
