import type { DatasetDefinition } from "../../definition/dataset.ts";
import type { ServedKeyed, TokenFacts } from "../../definition/served-keyed.ts";
import { slicesOf } from "../../definition/slices.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { Store } from "../../store/store.ts";
import { allTables } from "../requested-of.ts";
import { NotedReads, type NotedQuestion } from "./noted-reads.ts";
import { IDS_A_VALUE, selectKeyed } from "./select-keyed.ts";
import { readStored } from "./stored-cells.ts";
import { askInfos } from "./token-lookups.ts";

/** Returned if a page would read more rows than it may. */
export const BEYOND = Symbol("beyond what is read for a page");

type ReadingStore = Pick<Store, "read" | "rows">;
type Reads = Pick<ServedKeyed, "tables" | "tokens">;

/** Maximum keys per statement. */
const MAX_KEYS = 10_000;
/** Larger than a million rows of the widest table. */
const SETTINGS = { max_result_bytes: 1_000_000_000 };

/** Reads the recorded missing keys from the engine, up to `most` rows in all. */
export function readingOf(store: ReadingStore, dataset: DatasetDefinition, { tables, tokens }: Reads, most: number) {
  const noted = new NotedReads();
  const stored = new Map(allTables(dataset).map((table) => [table.name, table]));
  const names = new Set(tables.map(({ name }) => name));
  let left = most;
  const readRows = async (question: NotedQuestion): Promise<void> => {
    const { name } = question.table;
    const table = stored.get(name);
    if (table === undefined || !names.has(name)) throw new TypeError(`${name} is not among what ${dataset.name} reads`);
    for (const values of slicesOf([...question.missing], MAX_KEYS)) {
      if (left < 0) return;
      const statement = selectKeyed(question, table, values, left + 1);
      const blocks = [...readStored(await store.read(statement, { format: "Native", settings: SETTINGS }))];
      left -= blocks.reduce((sum, { count }) => sum + count, 0);
      if (left >= 0) noted.learnRows(question, values, blocks);
    }
  };
  const readMissing = async (): Promise<typeof BEYOND | undefined> => {
    await Promise.all(noted.missing().map(readRows));
    if (left < 0) return BEYOND;
    noted.learnTokens(await readTokens(store, tokens, [...noted.missingTokens]));
    return undefined;
  };
  return { noted, readMissing };
}

async function readTokens(
  store: ReadingStore,
  table: TableDefinition | undefined,
  tokens: readonly string[],
): Promise<ReadonlyMap<string, TokenFacts>> {
  const reported = new Map<string, TokenFacts>();
  if (tokens.length === 0) return reported;
  if (table === undefined) throw new TypeError("tokens are not read here");
  for (const some of slicesOf(tokens, IDS_A_VALUE))
    for (const [token, facts] of await askInfos(store, table, some)) reported.set(token, facts as TokenFacts);
  return reported;
}
