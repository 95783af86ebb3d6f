import { CallerError } from "../definition/errors.ts";
import type { Requested, Coverage, CoverageOf, HeldOf } from "../definition/coverage.ts";
import type { DatasetDefinition } from "../definition/dataset.ts";
import { StoreError } from "../store/statement.ts";
import type { Store } from "../store/store.ts";
import type { Answer, Ask } from "./answer.ts";
import { requestedOf, requestedOfPage, goesBack, sourcesOf, tablesOf } from "./requested-of.ts";
import { type CacheOutcome, openCache, type Kept } from "./query-cache.ts";
import { costOf } from "./cost.ts";
import { csvSafe, fillOf } from "./rewrite-page.ts";
import { isLent, share } from "./buffer-pool.ts";
import { emptyPage } from "./empty-page.ts";
import { findNamed, createReadQuestion, type ReadQuestion } from "./read-question.ts";
import { RENDERINGS } from "./format.ts";
import { DAY_MS, dependsOnNow, isAgo, sinceAgo } from "./request-time.ts";
import type { KeptPage } from "./read-page.ts";
import { createNextCursor, ofPartialWalk } from "./cursor.ts";
import type { ReadParams } from "./parse-params.ts";
import type { QueryRequest } from "./parse-request.ts";
import { engineOfQuestions, answering } from "./query-engine.ts";
import type { Waiting } from "./waiting.ts";
import { createWithinLifetimes } from "./within-lifetimes.ts";
import { createReadKept } from "./read-kept.ts";
import type { NoteCompared } from "./served/compare-sampled.ts";
import type { Vocabularies } from "./served/forgive-typos.ts";
import type { ListSources } from "./served/read-listed.ts";
import type { ServedSources } from "./served/read-served.ts";
import type { TokenSources } from "./served/token-lookups.ts";

const CACHE_BYTES = 64 * 1024 * 1024;
/** Upper bound on the delay until other processes' writes, and the passing of time, show in answers. */
const CACHE_MS = 1_000;
const SETTLED_CACHE_MS = 600_000;
const RETRY_SECONDS = 2;
const NO_ROWS = Buffer.alloc(0);

export type QueryOptions = {
  readonly store: Store;
  readonly catalogue: readonly DatasetDefinition[];
  readonly coverageOf: CoverageOf;
  /** For datasets that distinguish data not collected from data that does not exist. */
  readonly heldOf?: HeldOf;
  /** Maximum number of concurrent query statements at the engine. */
  readonly statementsAtOnce?: number | undefined;
  /** Key that signs cursors; the same on every node. */
  readonly secret: Buffer;
  readonly paramsUnknown: "reject" | "warn";
  /** No other process writes to the store: an answer stays valid until a table it was read from changes. */
  readonly isAlone?: boolean;
  /** Maximum delay until other processes' writes are known here and in what is served. */
  readonly changeLagMs?: number;
  /** Old rows are, or may be, in cold storage. */
  readonly hasCold?: boolean;
  /** Indexes of rows by key, for datasets answered from them. */
  readonly served?: ServedSources;
  readonly servedTokens?: TokenSources;
  /**
   * Time up to which stored rows are known to be in `served` (microseconds since 1970), if another process reports it.
   */
  readonly servedUntil?: () => number;
  /** Lists of all rows, for datasets answered from them. */
  readonly listed?: ListSources;
  /** Words that occur in rows, used to detect misspelt ones in searches. */
  readonly vocabularies?: Vocabularies;
  /** Called for each uncached page of such a dataset with what it was read from. */
  readonly countServed?: (by: "index" | "engine") => void;
  /** Called for pages read both ways with whether they were equal. */
  readonly compared?: NoteCompared;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called for every page with how it was answered. */
  readonly count?: (outcome: CacheOutcome) => void;
};

/** Opens the request pipeline: find, require, limit, parse, query, count. Throws CallerError. */
export function openQuery(options: QueryOptions): Ask {
  const store = engineOfQuestions(options.store, options.statementsAtOnce);
  const readQuestion = charging(createReadQuestion(options), options.now);
  const cache = openPages(options);
  const readKept = createReadKept({ ...options, store });
  const withinLifetimes = createWithinLifetimes(store, options);
  const nextCursor = createNextCursor(options.secret);
  return async (body, asker, accept, hasAlready) => {
    const { request, dataset, limit, question, cursor, searched, searching } = await readQuestion(body, asker, accept);
    const shape = { format: request.format, limit, offset: request.page.offset };
    const account = asker.account ?? "";
    // Skip the await if no statement is needed.
    const found =
      searching.isNowhere || dataset.named
        ? await withStoreErrors(() => answering({ account }, () => findNamed(dataset, searching, store)))
        : searching;
    const isSafe = request.isCsvSafe && request.format === "csv";
    const remake = isSafe ? csvSafe : fillOf(dataset, request.format, asker.mode);
    const read = readSince(dataset, found ?? searching, cursor?.began ?? options.now());
    const place = [
      limit,
      shape.offset,
      request.format,
      request.page.cursor ?? null,
      Math.floor(options.now() / DAY_MS),
    ];
    const key = JSON.stringify([question, searched ?? null, ...place, ...(remake ? ["remade"] : [])]);
    const requested = requestedOf(dataset, read.given, options.now());
    const [tables, sources] = [namesOf(tablesOf(dataset, read.given)), sourcesOf(dataset, read.given)];
    const readNow = (waiting: Waiting): Promise<KeptPage> =>
      answering({ account, waiting }, async () => {
        if (found === undefined) return emptyPage(store, dataset, shape, options.now());
        const page = await readKept({ dataset, given: read.given, request, limit, cursor });
        return remake?.(page, shape) ?? page;
      });
    const lifeMs = lifeIn(dataset, read.given, options.now);
    const readCoverage = async (page: Pick<KeptPage, "last">): Promise<Coverage> => {
      const about = sinceBegan(requestedOfPage(dataset, read.given, requested, page.last), cursor?.began);
      const reported = await answering({ account }, () =>
        withinLifetimes(dataset, read.given, about, (within) => options.coverageOf(tables, within)),
      );
      return cursor?.wasPartial === true ? ofPartialWalk(reported) : reported;
    };
    const answerOf = (page: KeptPage, coverage: Coverage): Answer => {
      const next = nextCursor(page, { question, searched }, !coverage.complete);
      return toAnswer(dataset, request, read, page, { ...coverage, index: page.index }, { limit, next });
    };
    const head = hasAlready && cache.headOf(key);
    if (head !== undefined) {
      const coverage = await withStoreErrors(() => readCoverage(head));
      if (hasAlready?.({ etag: head.etag, coverage }) === true) return answerOf({ ...head, body: NO_ROWS }, coverage);
    }
    const asking = { stamp: () => store.stampOf(sources), ask: readNow, lifeMs, waiter: asker.waiter };
    const reading = cache.joined(key, asking);
    const judging = goesBack(dataset.range, read.given)
      ? reading.then(readCoverage)
      : readCoverage({ last: undefined });
    const [page, coverage] = await withStoreErrors(() => Promise.all([reading, judging]));
    return answerOf(page, coverage);
  };
}

/** Charges a query's cost once it is parsed, before any statement is sent. */
const charging =
  (readQuestion: ReturnType<typeof createReadQuestion>, now: () => number) =>
  async (...requested: Parameters<typeof readQuestion>): Promise<ReadQuestion> => {
    const read = readQuestion(...requested);
    const { dataset, request, limit, searching } = read;
    const page = { limit, offset: request.page.offset, format: request.format };
    await requested[1].charge?.(costOf(dataset, { ...page, given: searching.given, nowMs: now() }));
    return read;
  };

const namesOf = (tables: readonly { readonly name: string }[]): string[] => tables.map(({ name }) => name);
const sinceBegan = (about: Requested, began: number | undefined): Requested =>
  began === undefined ? about : { ...about, began: new Date(began).toISOString() };

/**
 * Separate function because the closure is cached: created in the request handler it would keep the whole request
 * alive.
 */
const lifeIn =
  (dataset: DatasetDefinition, given: ReadParams["given"], now: () => number) =>
  ({ isSettled }: KeptPage): number =>
    isSettled && !isAgo(dataset, given) && !dependsOnNow(dataset, given, now()) ? SETTLED_CACHE_MS : CACHE_MS;

const readSince = (dataset: DatasetDefinition, read: ReadParams, nowMs: number): ReadParams => ({
  ...read,
  given: sinceAgo(dataset, read.given, nowMs),
});

const openPages = ({ count, now }: QueryOptions): Kept<KeptPage> =>
  openCache((page) => page.body.length + 512, CACHE_BYTES, {
    count,
    toKeep: alone,
    headOf: (page) => ({ ...page, body: NO_ROWS }),
    shared: ({ body }) => share(body),
    clock: now,
  });

/** Copies a page into bytes of its own: pooled ones are overwritten, and slices keep a larger buffer alive. */
const alone = (page: KeptPage): KeptPage =>
  isLent(page.body) || page.body.buffer.byteLength > page.body.length * 2
    ? { ...page, body: Buffer.from(page.body) }
    : page;

function toAnswer(
  dataset: DatasetDefinition,
  request: QueryRequest,
  read: ReadParams,
  bytes: KeptPage,
  coverage: Coverage,
  page: { limit: number; next: string | null },
): Answer {
  return {
    agentId: dataset.agentId,
    format: request.format,
    contentType: RENDERINGS[request.format].contentType,
    body: bytes.body,
    rowCount: bytes.rowCount,
    limit: page.limit,
    offset: request.page.offset,
    hasMore: bytes.hasMore,
    nextCursor: page.next,
    params: read.echo,
    coverage,
    warnings: [...request.warnings, ...read.warnings, ...(bytes.warnings ?? [])],
    etag: bytes.etag,
  };
}

async function withStoreErrors<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause;
    if (cause.kind === "timeout" || cause.kind === "memory") {
      throw new CallerError(
        "QUERY_TIMEOUT",
        "The query exceeded its time or memory budget. Request a narrower range or a smaller page.",
        { cause, retryAfterSeconds: RETRY_SECONDS },
      );
    }
    if (cause.kind === "failed") throw cause;
    if (cause.kind === "cold_away") {
      throw new CallerError(
        "UNAVAILABLE",
        "Old order books are kept in object storage, which does not answer now. Recent ones are available: give a start_time, or try again later.",
        { cause, retryAfterSeconds: RETRY_SECONDS },
      );
    }
    throw new CallerError("UNAVAILABLE", "The store cannot answer now. Try again shortly.", {
      cause,
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
}
