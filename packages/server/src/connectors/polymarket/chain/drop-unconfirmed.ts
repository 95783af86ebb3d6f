import type { Batch, Feed, PullOptions, TableRows } from "../../../definition/connector.ts";
import { MAX_UNCONFIRMED, type StoredFills, type UnconfirmedTransaction } from "../../../definition/known.ts";
import type { TableDefinition } from "../../../definition/table.ts";
import { toSpans } from "../check/compare-fills.ts";
import { isoSeconds } from "../exact/values.ts";
import { type ChainPlace, writePlace } from "./chain-place.ts";
import { inParts } from "./read-blocks.ts";
import type { ChainStream } from "./read-range.ts";
import { receiptWire } from "./logs.ts";

/** A transaction of an abandoned block may return to the chain for some time; a lagging node knows it later. */
const BEHIND_SECONDS = 180;
/** A live walk looks again once this much more has been read. */
const EVERY_SECONDS = 30;
/** The time before the first look of a live walk: longer than the blocks of its first cycle. */
const FIRST_SECONDS = 1800;
/** The longest time of one look. */
const MAX_SECONDS = 3600;
/** A backfill looks at most this often: a node without logs of the range would be asked for the receipts of all fills. */
const MAX_LOOKS = 50;

type Look = {
  readonly feed: Feed;
  readonly fills: StoredFills;
  readonly table: TableDefinition;
  readonly place: ChainPlace;
  readonly signal: AbortSignal;
};

function lookOf(stream: ChainStream, { feed, storedFills, signal }: PullOptions, place: ChainPlace): Look | undefined {
  const table = stream.tables.find(({ provisional }) => provisional !== undefined);
  return table === undefined || storedFills === undefined
    ? undefined
    : { feed, fills: storedFills, table, place, signal };
}

/**
 * One look of a live walk at `place`: removes fills that only the Data API reported, of transactions that the chain
 * does not have, because a reorganisation removed them. Returns the place with the time looked at.
 */
export async function dropUnconfirmed(
  stream: ChainStream,
  options: PullOptions,
  place: ChainPlace,
): Promise<{ readonly place: ChainPlace; readonly batch?: Batch }> {
  const look = lookOf(stream, options, place);
  if (look === undefined || place.at === undefined) return { place };
  const end = endOf(place, options);
  const from = place.confirmed ?? end - FIRST_SECONDS;
  if (end - from < EVERY_SECONDS) return { place };
  const { confirmed, ...batch } = await lookAt(look, from, Math.min(end, from + MAX_SECONDS));
  const passed = { ...place, confirmed };
  return { place: passed, ...(isEmpty(batch) ? {} : { batch: { ...batch, cursor: writePlace(passed) } }) };
}

/** The Unix second up to which the blocks at `place` are read and old enough. */
const endOf = ({ at }: ChainPlace, { now }: PullOptions): number =>
  Math.floor(Math.min(at === undefined ? 0 : Date.parse(at), now() - BEHIND_SECONDS * 1000) / 1000);

/** The same for the range of a backfill whose blocks have been read up to `place`. */
export async function* dropUnconfirmedIn(
  stream: ChainStream,
  options: PullOptions,
  place: ChainPlace,
  range: { readonly from: string; readonly to: string },
): AsyncGenerator<Batch, void, void> {
  const look = lookOf(stream, options, place);
  if (look === undefined) return;
  const end = Math.min(endOf(place, options), Math.floor(Date.parse(range.to) / 1000));
  let from = Math.floor(Date.parse(range.from) / 1000) - 1;
  for (let looks = 0; looks < MAX_LOOKS && from < end && !options.signal.aborted; looks += 1) {
    const { confirmed, ...batch } = await lookAt(look, from, end);
    from = confirmed;
    if (!isEmpty(batch)) yield { ...batch, cursor: writePlace(place), isCaughtUp: false };
  }
  if (from < end) yield { rows: [], cursor: writePlace(place), notices: [noticeOf(end - from, TOO_MANY)] };
}

type Looked = Pick<Batch, "rows" | "notices"> & { readonly confirmed: number };

const isEmpty = ({ rows, notices = [] }: Pick<Batch, "rows" | "notices">): boolean =>
  rows.length === 0 && notices.length === 0;

/** The seconds after `from` up to `to`, or up to `confirmed` where there is more than one look can ask for. */
async function lookAt(look: Look, from: number, to: number): Promise<Looked> {
  const unconfirmed = await look.fills.unconfirmed(from, to);
  const confirmed = unconfirmed.length < MAX_UNCONFIRMED ? to : (unconfirmed.at(-1)?.seconds ?? to);
  const dropped = await findDropped(look, unconfirmed);
  if (dropped === "unknown") return { rows: [], notices: [noticeOf(unconfirmed.length, UNPROVEN)], confirmed };
  if (dropped.length === 0) return { rows: [], confirmed };
  // All between removed rows is derived again, so only near ones are removed together.
  const spans = toSpans(dropped.map(({ seconds }) => seconds));
  const rows = spans.map(({ from: first, to: last }) =>
    dropRows(
      look,
      dropped.filter(({ seconds }) => seconds >= first && seconds <= last),
    ),
  );
  return { rows, notices: [noticeOf(dropped.length, DROPPED)], confirmed };
}

/** Those of the transactions that the chain does not have; unknown if the node does not return receipts. */
async function findDropped(
  look: Look,
  transactions: readonly UnconfirmedTransaction[],
): Promise<readonly UnconfirmedTransaction[] | "unknown"> {
  const found = await areOnChain(
    look,
    transactions.map(({ tx_hash }) => tx_hash),
  );
  const dropped = transactions.filter((_, index) => found?.[index] === false);
  const [first, last] = [dropped[0], dropped.at(-1)];
  if (found === undefined) return "unknown";
  if (first === undefined || last === undefined) return [];
  // A node that is behind, or has no index of old transactions, lacks the receipts of stored chain fills as well.
  const stored = await look.fills.confirmedAround(first.seconds, last.seconds);
  const control = await areOnChain(look, stored);
  return control !== undefined && control.length > 0 && !control.includes(false) ? dropped : "unknown";
}

/** Whether the chain has each of the transactions; undefined if the node refuses to say. */
async function areOnChain({ feed, signal }: Look, hashes: readonly string[]): Promise<readonly boolean[] | undefined> {
  try {
    return await inParts(hashes, async (hash) => {
      const receipt = await feed.rpc("eth_getTransactionReceipt", [hash], receiptWire.nullable());
      return receipt !== null && receipt.status !== "0x0";
    });
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

/** An empty range of blocks after `place`, with the transactions to remove. */
function dropRows({ table, place }: Look, span: readonly UnconfirmedTransaction[]): TableRows {
  const [since, until] = [span[0]?.seconds ?? 0, span.at(-1)?.seconds ?? 0];
  const blocks = { from: place.block + 1, to: place.block };
  const dropped = span.map(({ tx_hash }) => tx_hash);
  return { table, rows: [], allOf: { ...blocks, since: isoSeconds(since), until: isoSeconds(until), dropped } };
}

const DROPPED = "Fills that only the Data API reported are removed: the chain does not have their transactions";
const UNPROVEN =
  "Fills that only the Data API reported could not be checked: the node returns no receipts of their time, not even of fills that the chain has";
const TOO_MANY = "Seconds in which fills that only the Data API reported were too many to be checked";

const noticeOf = (count: number, text: string) => ({ kind: "upstream_note" as const, text, count });
