import { LRUCache } from "lru-cache";
import type { Board, ReadBoard, ReadStatement } from "../../definition/served-keyed.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { Store } from "../../store/store.ts";
import { forOthersToo, readEngineOf } from "../query-engine.ts";

/** For all boards together. A board larger than this is rebuilt for every query. */
const MAX_BYTES = 400_000_000;
/** Fixed size counted per board, or millions of empty boards would fit. */
const OF_A_BOARD = 10_000;
/** With more changed keys a board is rebuilt. */
const MAX_CHANGED = 20_000;
/** Maximum delay between a row's version and the row becoming readable. */
const UNSEEN_MICROS = 60_000_000;

type Kept = {
  readonly board: object;
  readonly bytes: number;
  readonly stamp: number;
  /** When it began to be read, by both clocks. */
  readonly began: Times;
};
type BoardStore = Pick<Store, "rows" | "read">;
/** The machine's time, which may be set, and a time that only ever advances; milliseconds. */
type Times = { readonly now: number; readonly monotonic: number };

const bothTimes = (): Times => ({ now: Date.now(), monotonic: performance.now() });

/**
 * Keeps boards in memory: each is built when first requested, after that only changes are read. `stampOf` returns a new
 * value whenever one of the tables may have changed.
 */
export function keepBoards(
  store: BoardStore,
  stampOf: (tables: readonly TableDefinition[]) => number,
  times: () => Times = bothTimes,
): ReadBoard {
  const read = readEngineOf(store);
  const kept = new LRUCache<string, Kept>({ maxSize: MAX_BYTES, sizeCalculation: ({ bytes }) => bytes + OF_A_BOARD });
  const flights = new Map<string, { readonly stamp: number; readonly made: Promise<Kept> }>();

  /** Undefined if too much changed. */
  const renewed = async <Rows extends object>(board: Board<Rows>, { board: rows, began }: Kept) => {
    const reported = await read.rows<{ key: string }>(board.changedSince(versionAt(began, times())));
    const changed = [...new Set(reported.map(({ key }) => key))];
    if (changed.length === 0) return rows as Rows;
    return changed.length > MAX_CHANGED ? undefined : board.renew?.(rows as Rows, changed, read);
  };
  const current = async <Rows extends object>(board: Board<Rows>): Promise<Kept> => {
    const stamp = stampOf(board.tables);
    const before = kept.get(board.id);
    if (before?.stamp === stamp) return before;
    const began = times();
    const rows = (before && (await renewed(board, before))) ?? (await board.make(read));
    const next = { board: rows, bytes: board.bytesOf(rows), stamp, began };
    kept.set(board.id, next);
    return next;
  };
  return async <Rows extends object>(board: Board<Rows>) => {
    const stamp = stampOf(board.tables);
    const before = kept.get(board.id);
    if (before?.stamp === stamp) return before.board as Rows;
    const running = flights.get(board.id);
    // Build one after the other: a request during a build would otherwise start a second full build.
    const made =
      running?.stamp === stamp
        ? running.made
        : forOthersToo(() =>
            Promise.resolve(running?.made).then(
              () => current(board),
              () => current(board),
            ),
          );
    if (running?.made !== made) {
      const forget = (): unknown => flights.get(board.id)?.made === made && flights.delete(board.id);
      flights.set(board.id, { stamp, made });
      made.then(forget, forget);
    }
    return (await made).board as Rows;
  };
}

/** Rows from this version on may be missing from a board, also if the clock was ahead when it was read, or is now. */
function versionAt(began: Times, { now, monotonic }: Times): string {
  const at = Math.min(began.now, now - (monotonic - began.monotonic));
  return String(Math.floor(at) * 1000 - UNSEEN_MICROS);
}

const MOST = 1_000;

/** Caches rows of engine statements until a table they were read from changes. */
export function keepStatements(store: Pick<Store, "rows" | "stampOf">): ReadStatement {
  const kept = new LRUCache<string, { readonly stamp: number; readonly rows: Promise<readonly object[]> }>({
    max: MOST,
  });
  return <Row extends Record<string, unknown>>(
    statement: Parameters<ReadStatement>[0],
    tables: Parameters<ReadStatement>[1],
  ) => {
    const key = JSON.stringify([statement.text, statement.values.map(({ value }) => String(value))]);
    const stamp = store.stampOf(tables);
    const found = kept.get(key);
    if (found?.stamp === stamp) return found.rows as Promise<readonly Row[]>;
    const rows = forOthersToo(() => store.rows<Row>(statement));
    kept.set(key, { stamp, rows });
    // A later read of the same statement may have replaced it.
    rows.catch(() => kept.get(key)?.rows === rows && kept.delete(key));
    return rows;
  };
}
