import type { DatasetDefinition } from "../../definition/dataset.ts";
import type { KeyedAsking, ServedKeyed, TokenFacts } from "../../definition/served-keyed.ts";
import { slicesOf } from "../../definition/slices.ts";
import type { Bound } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { Store } from "../../store/store.ts";
import type { PageBytes, PageOf } from "../read-page.ts";
import { allTables } from "../tables-of.ts";
import { findKeyed, type Found } from "./find-keyed.ts";
import { keyedPage } from "./keyed-page.ts";
import { NotedReads, type NotedQuestion } from "./noted-reads.ts";
import { IDS_A_VALUE, selectKeyed } from "./select-keyed.ts";
import { readStored } from "./stored-cells.ts";
import { askInfos } from "./token-lookups.ts";

/** Answers a page by arithmetic over rows by key that the engine reads; undefined where its own statement is to. */
export type ReadByEngine = (
  dataset: DatasetDefinition,
  given: Readonly<Record<string, Bound>>,
  page: PageOf,
) => Promise<PageBytes | undefined>;

type ReadingStore = Pick<Store, "read" | "rows">;
type Reads = Pick<ServedKeyed, "tables" | "tokens">;

/** A wallet's ledger with its tokens is one, their markets and marks another. */
const MOST_ROUNDS = 10;
/** Of one page. Each costs some ten microseconds here, so that the deepest statement costs no more than these. */
const MOST_ROWS = 10_000;
/** Of one statement. */
const MOST_KEYS = 10_000;
const MOST_OFFSET = 5_000;

export function openReadByEngine(
  store: ReadingStore,
  asking: Pick<KeyedAsking, "statement" | "board" | "read">,
): ReadByEngine {
  return async (dataset, given, page) => {
    const { served } = dataset;
    if (served === undefined || !("tables" in served)) return undefined;
    if (page.offset > MOST_OFFSET) return undefined;
    const depth = page.offset + page.limit + 1;
    const { now, offset } = page;
    const search = await served.search(given, { ...asking, now, after: page.cursor?.after, depth, offset });
    if (search === undefined) return undefined;
    const reading = readingOf(store, dataset, search.reads ?? served);
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const found = tried(() => findKeyed(reading.noted, search, page));
      if (reading.noted.isWhole()) return found && keyedPage(store, { dataset, served, given, search, page }, found);
      if (!(await reading.readMissing())) return undefined;
    }
    return undefined;
  };
}

/** What is worked out without all rows may not be possible; with all of them the dataset's statement says why. */
function tried(find: () => Found[]): Found[] | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

/** Reads what was noted; says whether that could be done within what one page may take. */
function readingOf(store: ReadingStore, dataset: DatasetDefinition, { tables, tokens }: Reads) {
  const noted = new NotedReads();
  const stored = new Map(allTables(dataset).map((table) => [table.name, table]));
  const names = new Set(tables.map(({ name }) => name));
  let left = MOST_ROWS;
  const readRows = async (question: NotedQuestion): Promise<void> => {
    const { name } = question.table;
    const table = stored.get(name);
    if (table === undefined || !names.has(name)) throw new TypeError(`${name} is not among what ${dataset.name} reads`);
    const statement = selectKeyed(question, table, [...question.missing], left + 1);
    const blocks = [...readStored(await store.read(statement, { format: "Native" }))];
    left -= blocks.reduce((sum, { count }) => sum + count, 0);
    noted.learnRows(question, blocks);
  };
  const readMissing = async (): Promise<boolean> => {
    const questions = noted.missing();
    if (questions.some(({ missing }) => missing.size > MOST_KEYS)) return false;
    await Promise.all(questions.map(readRows));
    if (left < 0 || noted.missingTokens.size > MOST_KEYS) return false;
    noted.learnTokens(await readTokens(store, tokens, [...noted.missingTokens]));
    return true;
  };
  return { noted, readMissing };
}

async function readTokens(
  store: ReadingStore,
  table: TableDefinition | undefined,
  tokens: readonly string[],
): Promise<ReadonlyMap<string, TokenFacts>> {
  if (tokens.length === 0) return new Map();
  if (table === undefined) throw new TypeError("tokens are not among what is read");
  const told = await Promise.all(slicesOf(tokens, IDS_A_VALUE).map((some) => askInfos(store, table, some)));
  return new Map(told.flatMap((facts) => Array.from(facts) as [string, TokenFacts][]));
}
