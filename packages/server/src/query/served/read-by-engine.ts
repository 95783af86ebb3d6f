import { beside } from "../../definition/pacing.ts";
import type { DatasetDefinition } from "../../definition/dataset.ts";
import { CallerError } from "../../definition/errors.ts";
import type { KeyedAsking, KeyedSearch } from "../../definition/served-keyed.ts";
import type { Bound } from "../../definition/sql.ts";
import type { Store } from "../../store/store.ts";
import type { PageBytes, PageOf } from "../read-page.ts";
import { questionNow } from "../query-engine.ts";
import { FairQueue } from "../fair-queue.ts";
import { findKeyed, type Found } from "./find-keyed.ts";
import { keyedPage, type KeyedPageRequested } from "./keyed-page.ts";
import { walkOf } from "./read-keyed.ts";
import type { NotedReads } from "./noted-reads.ts";
import { readingOf, BEYOND } from "./read-noted.ts";

/** Answers a page of a dataset that has no statement: computes it from rows that the engine reads by key. */
export type ReadByEngine = (
  dataset: DatasetDefinition,
  given: Readonly<Record<string, Bound>>,
  page: PageOf,
) => Promise<PageBytes>;

/** Maximum read rounds. A wallet's ledger with its tokens takes one, their resolutions and marks another. */
const MAX_ROUNDS = 10;
/** Maximum rows for one page, concurrently and alone: each takes up to a kilobyte meanwhile. */
const MAX_BESIDE = 50_000;
const MAX_ALONE = 1_000_000;
/** Maximum pages waiting to be computed alone; more are refused. */
const MAX_WAITING = 16;

export function openReadByEngine(
  store: Pick<Store, "read" | "rows">,
  asking: Pick<KeyedAsking, "statement" | "board" | "read">,
): ReadByEngine {
  const alone = new FairQueue({ places: 1, waiting: MAX_WAITING, refusal: tooManyAtOnce });
  return async (dataset, given, page) => {
    const { served, name } = dataset;
    if (served?.tables === undefined) throw new TypeError(`${name} is not read by key`);
    const depth = page.offset + page.limit + 1;
    const { now, offset } = page;
    const search = await served.search(given, { ...asking, now, ...walkOf(page), depth, offset });
    if (search === undefined) throw new TypeError(`${name} has no statement`);
    const requested = { dataset, served, given, search, page };
    const found = await findWithin(store, requested, MAX_BESIDE);
    if (found !== BEYOND) return keyedPage(store, requested, found);
    const { account, waiting } = questionNow();
    return alone.take(account, waiting?.signal, async () => {
      const all = await findWithin(store, requested, MAX_ALONE);
      if (all === BEYOND) throw tooMany();
      return keyedPage(store, requested, all);
    });
  };
}

const tooManyAtOnce = (): CallerError =>
  new CallerError(
    "UNAVAILABLE",
    `${MAX_WAITING} answers out of more than ${MAX_BESIDE.toLocaleString("en")} rows each are queued; try again shortly, or request fewer wallets.`,
    { retryAfterSeconds: 5 },
  );

const tooMany = (): CallerError =>
  new CallerError(
    "QUERY_TIMEOUT",
    `The answer is computed from more than ${MAX_ALONE.toLocaleString("en")} rows of these wallets. Request fewer wallets, or an earlier day or time.`,
  );

/** The rows up to the end of the page, computed from at most `most` rows by key. */
async function findWithin(
  store: Pick<Store, "read" | "rows">,
  { dataset, served, search, page }: KeyedPageRequested,
  most: number,
): Promise<Found[] | typeof BEYOND> {
  const reading = readingOf(store, dataset, search.reads ?? served, most);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = await tried(reading.noted, search, page);
    if (found !== undefined) return found;
    if ((await reading.readMissing()) === BEYOND) return BEYOND;
  }
  throw new Error(`${dataset.name} read rows in more than ${MAX_ROUNDS} rounds`);
}

/** Undefined if rows are missing: computing without them may yield impossible values or throw. */
async function tried(noted: NotedReads, search: KeyedSearch, page: PageOf): Promise<Found[] | undefined> {
  try {
    const found = await beside(findKeyed(noted, search, page));
    return noted.isWhole() ? found : undefined;
  } catch (cause) {
    if (!noted.isWhole()) return undefined;
    throw cause;
  }
}
