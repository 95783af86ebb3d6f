import { LRUCache } from "lru-cache";
import type { Board, RankedRows, ReadBoard } from "../../definition/served-keyed.ts";
import type { Store } from "../../store/store.ts";

/** Rows of all boards together that are kept, and of one. */
const MOST_ROWS = 1_000_000;
const MOST_OF_ONE = 400_000;
/** What a board counts for beside its rows: of what nobody has there would be millions else. */
const OF_A_BOARD = 100;
/** With more changed keys a board is made anew. */
const MOST_CHANGED = 20_000;
/** Between the version of a row and the moment the row can be read. */
const UNSEEN_MICROS = 60_000_000;

type Keyed = { readonly key: string };
type Kept<Row> = RankedRows<Row> & {
  readonly stamp: string;
  /** From this version on rows may not be in it. */
  readonly since: number;
};
type Told = Readonly<Record<string, string>>;

/** Keeps boards in memory: each is made when it is first asked for, then only what changed is read again. */
export function keepBoards(store: Pick<Store, "rows" | "stampOf">, now: () => number = Date.now): ReadBoard {
  const kept = new LRUCache<string, Kept<never>>({
    maxSize: MOST_ROWS,
    sizeCalculation: ({ rows }) => rows.length + OF_A_BOARD,
  });
  const inFlight = new Map<string, Promise<Kept<never> | undefined>>();
  return async <Row extends Keyed>(board: Board<Row>) => {
    const stamp = store.stampOf(board.tables);
    const before = kept.get(board.id) as Kept<Row> | undefined;
    if (before?.stamp === stamp) return before;
    const flight = `${stamp} ${board.id}`;
    const running = inFlight.get(flight) as Promise<Kept<Row> | undefined> | undefined;
    if (running !== undefined) return running;
    const made = (async () => {
      const since = now() * 1000 - UNSEEN_MICROS;
      const found = (before && (await renewed(store, board, before))) ?? (await readAll(store, board));
      const next = found && { ...found, stamp, since };
      if (next !== undefined) kept.set(board.id, next as unknown as Kept<never>);
      return next;
    })().finally(() => inFlight.delete(flight));
    inFlight.set(flight, made as Promise<Kept<never> | undefined>);
    return made;
  };
}

async function readAll<Row extends Keyed>(store: Pick<Store, "rows">, board: Board<Row>) {
  const rows = (await store.rows<Told>(board.rows())).map(board.read);
  return rows.length > MOST_OF_ONE ? undefined : ranked(board, rows.sort(board.compare));
}

/** Undefined where too much changed. */
async function renewed<Row extends Keyed>(store: Pick<Store, "rows">, board: Board<Row>, { rows, since }: Kept<Row>) {
  const changed = new Set(
    (await store.rows<{ readonly key: string }>(board.changedSince(String(since)))).map(({ key }) => key),
  );
  if (changed.size > MOST_CHANGED) return undefined;
  const told = changed.size === 0 ? [] : await store.rows<Told>(board.rows([...changed]));
  const fresh = told.map(board.read).sort(board.compare);
  return ranked(
    board,
    merged(
      board,
      rows.filter(({ key }) => !changed.has(key)),
      fresh,
    ),
  );
}

function merged<Row>({ compare }: Board<Row>, rows: readonly Row[], fresh: readonly Row[]): Row[] {
  const all: Row[] = [];
  let next = 0;
  for (const row of rows) {
    for (let one = fresh[next]; one !== undefined && compare(one, row) < 0; one = fresh[next]) {
      all.push(one);
      next += 1;
    }
    all.push(row);
  }
  return all.concat(fresh.slice(next));
}

function ranked<Row extends Keyed>({ compare }: Board<Row>, rows: readonly Row[]): RankedRows<Row> {
  return {
    rows,
    byKey: new Map(rows.map((row) => [row.key, row])),
    rankOf: (row) => {
      let [low, high] = [0, rows.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (compare(rows[middle] as Row, row) < 0) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
