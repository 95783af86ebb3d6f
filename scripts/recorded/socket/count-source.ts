import { bind, fromDefinition, sql, type Sql } from "../../../packages/server/src/definition/sql.ts";
import { bookEvents } from "../../../packages/server/src/tables/book-events.ts";
import { polymarketPrints } from "../../../packages/server/src/tables/polymarket-prints.ts";
import { answerAll } from "../answer-all.ts";
import { answeredSides } from "../book-text.ts";
import { countRows } from "../count-rows.ts";
import type { House } from "../open-house.ts";
import type { SocketOutcome } from "../run-book-socket.ts";
import { countOf, type StreamCount } from "../stream-count.ts";
import {
  compareRebuilt,
  newRebuilt,
  type BookAt,
  type ChangedLevel,
  type LevelsAt,
  type Rebuilt,
} from "./rebuilt-books.ts";
import { bookKey, eventKey, printKey } from "./recorded-frame.ts";
import type { SourceTally } from "./source-tally.ts";

type Outcome = SocketOutcome & { readonly untrusted: ReadonlySet<string> };
type Seen = { checkpoints: number; readonly rebuilt: Rebuilt };

const TAPE_ROWS = 10_000;
const BOOK_ROWS = 1000;
/** So long a change is kept to explain a book before it. */
const KEPT_MS = 60_000;

/** What became of one source: prints by the tape (1103), books and changes by the order book after each (572). */
export async function countSource(
  house: House,
  title: string,
  tally: SourceTally,
  outcome: Outcome,
): Promise<StreamCount[]> {
  const counts: StreamCount[] = [];
  const mine = bind("Array(String)", [...tally.tokens]);
  if (tally.given.print > 0) counts.push(await countPrints(house, `${title}: trades`, tally, sql`${mine}`));
  const seen: Seen = { checkpoints: 0, rebuilt: newRebuilt() };
  for (const token of tally.tokens) await answerBooks(house, token, tally, seen);
  const { books, changes, given } = tally;
  const rowsOf = (kind: Sql): Promise<number> =>
    countRows(house, bookEvents, sql`instrument IN (${mine}) AND kind = ${kind}`);
  const snapshots = (await rowsOf(sql`'snapshot'`)) - seen.checkpoints;
  const note = [...rebuiltNote(seen), ...troublesOf(outcome)].join("; ");
  counts.push({
    ...countOf(`${title}: books`, books, { in: given.book, stored: snapshots, ...(note !== "" && { note }) }),
    ...(given.change > 0 && { rebuilt: seen.rebuilt }),
  });
  if (given.change > 0) {
    for (const key of outcome.untrusted) changes.setAside(key);
    const aside = changes.asideCount > 0 ? { note: asideNote(outcome) } : {};
    counts.push(
      countOf(`${title}: changes`, changes, { in: given.change, stored: await rowsOf(sql`'change'`), ...aside }),
    );
  }
  return counts;
}

async function countPrints(house: House, title: string, tally: SourceTally, mine: Sql): Promise<StreamCount> {
  const { prints, tokens, given } = tally;
  for await (const row of answerAll(house, 1103, { token_id: [...tokens].join(",") }, TAPE_ROWS)) {
    const { token_id, timestamp, side, price, size } = row;
    prints.answer(printKey(String(token_id), Date.parse(String(timestamp)), side, price, size));
  }
  const stored = await countRows(house, polymarketPrints, sql`toString(token_id) IN (${mine})`);
  return countOf(title, prints, { in: given.print, stored });
}

/** Walks a token's answered books, newest first, each recorded whole one with the book before it. */
async function answerBooks(house: House, token: string, tally: SourceTally, seen: Seen): Promise<void> {
  const { books, changes } = tally;
  const hasChanges = tally.given.change > 0;
  const events = await eventsOf(house, token);
  let whole: BookAt | undefined;
  let later: LevelsAt[] = [];
  for await (const row of answerAll(house, 572, { token_id: token }, BOOK_ROWS)) {
    const ms = Date.parse(String(row["timestamp"]));
    const [key, sides] = [eventKey(token, ms, row["hash"]), answeredSides(row)];
    if (whole !== undefined && hasChanges) compareRebuilt(seen.rebuilt, { ms, sides }, whole, later);
    whole = undefined;
    const levels = events.get(`${ms} ${String(row["sequence"])}`);
    if (levels) {
      changes.answer(key);
      later = [...later.filter((change) => change.ms - ms < KEPT_MS), { ms, levels }];
    } else if ((hasChanges || isNone(sides)) && !books.has(bookKey(key, sides))) seen.checkpoints += 1;
    else {
      books.answer(bookKey(key, sides));
      whole = { ms, sides };
    }
  }
}

/** After a cut the service asks for the books; of most there is no recording, which it keeps as an empty book of now. */
const isNone = (sides: string): boolean => sides.trim() === "/";

type Pairs = readonly (readonly [number, number])[];

/** The levels of a token's changes, by place: the dataset gives the book after an event, not what the event was. */
async function eventsOf({ store }: House, token: string): Promise<ReadonlyMap<string, readonly ChangedLevel[]>> {
  const rows = await store.rows<{ ms: string; seq: string; bids: Pairs; asks: Pairs }>(
    sql`SELECT toUnixTimestamp64Milli(ts) AS ms, seq, ${pairs("bids")}, ${pairs("asks")} FROM ${bookEvents} WHERE instrument = ${bind("String", token)} AND kind = 'change'`,
  );
  const read = (side: "bids" | "asks", levels: Pairs): ChangedLevel[] =>
    levels.map(([price, size]) => ({ side, price, size }));
  return new Map(
    rows.map(({ ms, seq, bids, asks }) => [`${ms} ${seq}`, [...read("bids", bids), ...read("asks", asks)]]),
  );
}

function pairs(side: "bids" | "asks"): Sql {
  return fromDefinition(`arrayMap(level -> [toFloat64(level.price), toFloat64(level.size)], ${side}) AS ${side}`);
}

function rebuiltNote({ checkpoints, rebuilt }: Seen): string[] {
  const { compared, equal, traded, toldLater, afterHole, other } = rebuilt;
  if (compared === 0) return [];
  const why = `${traded} but for the trade it tells of, ${toldLater} and for orders told after it, ${afterHole} after a hole, ${other} otherwise`;
  return [`of ${compared} rebuilt ${equal} equal, ${why}`, `${checkpoints} checkpoints of ours besides`];
}

function asideNote({ broken }: Outcome): string {
  const reasons = [...broken].map(([reason, times]) => `${reason} ×${times}`);
  const said = reasons.length > 0 ? ` (all sources: ${reasons.join(", ")})` : "";
  return `set aside: before a token's first book, or while its book was not to be trusted${said}`;
}

function troublesOf({ parked, reopened }: Outcome): string[] {
  return [
    ...(parked > 0 ? [`${parked} frames refused`] : []),
    ...(reopened === undefined ? [] : [`the socket was opened again: ${reopened}`]),
  ];
}
