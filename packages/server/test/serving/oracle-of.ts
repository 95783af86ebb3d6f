import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import type { Coverage } from "../../src/definition/coverage.ts";
import type { DatasetDefinition } from "../../src/definition/dataset.ts";
import type { ServedTable } from "../../src/definition/served.ts";
import type { InsertRow, TableDefinition } from "../../src/definition/table.ts";
import type { Answer, Ask } from "../../src/query/answer.ts";
import { readCursor } from "../../src/query/cursor.ts";
import { openQuery, type QueryOptions } from "../../src/query/open-query.ts";
import { openFeedThread } from "../../src/serving/feed/thread/feed-thread.ts";
import { openIndex, type ServedIndex } from "../../src/serving/feed/open-index.ts";
import { openTokenIndex } from "../../src/serving/feed/open-token-index.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { saidBy } from "../fixtures/read-columnar.ts";
import { checkShrinking } from "./shrink.ts";

export type Requested = {
  readonly params: Readonly<Record<string, string>>;
  readonly pagination: Readonly<Record<string, unknown>>;
  readonly format: string;
  /** The dataset queried, if not the first one of the case. */
  readonly of?: DatasetDefinition;
};

/** A dataset with its served tables, random rows to store and random queries. */
export type Case = {
  readonly dataset: DatasetDefinition;
  /** Other datasets of the same tables. */
  readonly others?: readonly DatasetDefinition[];
  readonly tables: readonly { readonly table: TableDefinition; readonly served: ServedTable }[];
  /** The table of tokens, if their index is used. */
  readonly tokens?: TableDefinition;
  readonly rows: (round: number) => readonly { readonly table: TableDefinition; readonly rows: readonly InsertRow[] }[];
  readonly question: () => Requested;
};

const SECRET = Buffer.from("test");
/** Equals the value in open-index.ts. */
const ROOM = 1.1;
const WHOLE: Coverage = { complete: true, from: null, to: null, gaps: [], reasons: [] };
const ANYONE = { mayRead: () => true, maxPage: 10_000, mode: "strict" } as const;
const MAX_ASKS = 200;
const MAX_EARLIER = thoroughly(12, 1);
const MAX_PAGES = thoroughly(6, 2);

const rowsOf = (index: ServedIndex | undefined): number => {
  const days = index?.reader()?.days.all();
  return days === undefined ? Number.POSITIVE_INFINITY : [...days.values()].reduce((sum, { count }) => sum + count, 0);
};

/** The content of an answer to compare, with only the position of its cursor. */
function saidOfPlace(answer: Answer): unknown {
  const { nextCursor } = answer;
  if (nextCursor === null) return saidBy(answer);
  const { began: _began, snapshot: _snapshot, ...place } = readCursor(SECRET, nextCursor) ?? expect.fail(nextCursor);
  return { ...saidBy(answer), nextCursor: place };
}

/** Key of the next page in the answer cache, however the query is worded; undefined if there is none. */
function pageOf({ nextCursor, format, limit, offset }: Answer, { pagination }: Requested): string | undefined {
  const question = nextCursor === null ? undefined : readCursor(SECRET, nextCursor)?.question;
  return question && JSON.stringify([question, format, limit, offset, pagination["cursor"]]);
}

const isoOf = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;

/** Queries a dataset through the engine and through followed indexes, and checks that both answers are equal. */
export function openOracle(store: OpenStore, { dataset, others = [], tables, tokens, rows, question }: Case) {
  const folder = mkdtempSync(join(tmpdir(), "almanac-oracle-"));
  const failures: unknown[] = [];
  const failed = (cause: unknown): void => void failures.push(cause);
  const log = { info: () => undefined, error: failed };
  const thread = openFeedThread();
  const indexes = new Map<string, ServedIndex>();
  const known = tokens && openTokenIndex({ store, table: tokens, folder: join(folder, tokens.name), thread, log });
  const open = (maxBytes: number): void => {
    for (const { table, served } of tables) {
      const of = {
        store,
        served,
        table,
        folder: join(folder, table.name),
        maxBytes: async () => maxBytes,
        thread,
        log,
      };
      indexes.set(table.name, openIndex(of));
    }
  };
  store.onChanged(({ name }, left) => {
    indexes.get(name)?.changed(left);
    if (name === tokens?.name) known?.changed(left);
  });
  let nowMs = Date.now();
  /** Statements that the engine ran in place of the indexes. */
  const engineReads: string[] = [];
  const counting: OpenStore = {
    ...store,
    // Tables not read by keys count as unchanged immediately, so that answers are cached.
    unchangedMs: () => Number.POSITIVE_INFINITY,
    read: (statement, reading) => {
      // The engine also writes documents, from rows that are sent to it.
      if (reading?.sent === undefined) engineReads.push(statement.text);
      return store.read(statement, reading);
    },
  };
  const askOver = (over: OpenStore, more: Partial<QueryOptions> = {}): Ask =>
    openQuery({
      store: over,
      catalogue: [dataset, ...others],
      coverageOf: async () => WHOLE,
      secret: SECRET,
      paramsUnknown: "reject",
      now: () => nowMs,
      ...more,
    });
  const byEngine = askOver(store);
  const byIndex = askOver(counting, {
    isAlone: true,
    served: (name) => {
      const index = indexes.get(name);
      const reader = index?.reader();
      return reader && { reader, failed, asOf: () => index?.asOf() };
    },
    servedTokens: (name) => {
      const reader = name === tokens?.name ? known?.reader() : undefined;
      return reader && { reader, failed };
    },
  });

  const caughtUp = async (): Promise<void> => {
    for (const index of [...indexes.values(), ...(known ? [known] : [])])
      await expect.poll(() => [index.behindMs(), failures], { interval: 10, timeout: 30_000 }).toEqual([0, []]);
  };
  const insert = async (round: number): Promise<void> => {
    for (const batch of rows(round)) {
      await store.insert(batch.table, batch.rows);
      // A dictionary reloaded a moment ago is reloaded again only later, and until then the engine answers.
      if (batch.table.dictionary !== undefined) await store.endWriting();
    }
    await caughtUp();
  };
  /** Requests and pages made before, which may be answered from the cache. */
  const requestedBefore = new Set<string>();
  const compared = async (requested: Requested): Promise<Answer> => {
    const { params, pagination, format, of = dataset } = requested;
    const body = { agent_id: of.agentId, params, pagination, formatter_config: { format_type: format } };
    const isAgain = requestedBefore.has(JSON.stringify(body));
    requestedBefore.add(JSON.stringify(body));
    const readBefore = engineReads.length;
    const [wanted, found] = await Promise.all([byEngine(body, ANYONE, undefined), byIndex(body, ANYONE, undefined)]);
    const isOfIndex = found.coverage.index !== undefined;
    if (!isAgain && engineReads.length === readBefore)
      expect(isOfIndex, `${of.name} says that the index answered`).toBe(true);
    const floors = [...indexes.values()].map((index) => isoOf(index.floor() ?? 0));
    if (!isAgain && isOfIndex) expect([null, ...floors]).toContain(found.coverage.index?.from);
    const page = pageOf(wanted, requested);
    // A cached answer continues by cursor from the snapshot of its first read.
    const said = isAgain || (page !== undefined && requestedBefore.has(page)) ? saidOfPlace : saidBy;
    if (page !== undefined) requestedBefore.add(page);
    expect(said(found), `of ${of.name}`).toEqual(said(wanted));
    return wanted;
  };
  const checkPage = (requested: Requested): Promise<Answer> => checkShrinking(requested, compared);
  /** First pages requested earlier, whose answers are cached now, or were until rows of their keys changed. */
  const earlier: Requested[] = [];
  const askAgain = async (): Promise<void> => {
    earlier.splice(0, earlier.length - MAX_EARLIER);
    for (const one of earlier) for (let turn = 0; turn < 2; turn += 1) await checkPage(one);
  };
  return {
    failures,
    insert,
    caughtUp,
    checkPage,
    open,
    indexes,
    engineReads,
    /** Walks random queries until one has a second page; calls `between` before a walk's second page. */
    walk: async (questions: number, between?: () => Promise<void>): Promise<number> => {
      let pages = 0;
      await askAgain();
      for (let asks = 0; asks < questions || (pages === asks && asks < MAX_ASKS); asks += 1) {
        nowMs = Date.now();
        const requested = question();
        earlier.push(requested);
        let answer = await checkPage(requested);
        if (between !== undefined && answer.nextCursor !== null) await between();
        for (pages += 1; answer.nextCursor !== null && pages % MAX_PAGES > 0; pages += 1)
          answer = await checkPage({
            ...requested,
            pagination: { limit: requested.pagination["limit"], cursor: answer.nextCursor },
          });
      }
      return pages;
    },
    /** Closes the indexes and opens them again. */
    reopen: async (maxBytes: number): Promise<void> => {
      for (const index of indexes.values()) await index.close();
      open(maxBytes);
      await caughtUp();
      // An index with too many rows answers while it is rebuilt.
      for (const { table, served } of tables)
        await expect
          .poll(() => rowsOf(indexes.get(table.name)) * served.rowBytes, { interval: 10, timeout: 30_000 })
          .toBeLessThanOrEqual(maxBytes * ROOM);
      await caughtUp();
    },
    close: async (): Promise<void> => {
      for (const index of indexes.values()) await index.close();
      indexes.clear();
      await known?.close();
      await thread.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
