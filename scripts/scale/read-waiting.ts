import { connectors } from "../../packages/server/src/catalogue.ts";
import { findLive } from "../../packages/server/src/ingest/control/live-record.ts";
import { readStatus } from "../../packages/server/src/ingest/status/read-status.ts";
import type { Records } from "../../packages/server/src/records/records.ts";

/** Nothing hangs on it, and in a world that stands still it is silent. */
const EARLY = "polymarket-trades-rtds";
/** What is compared. Others begin again whenever a book is looked at, which on a busy machine is always. */
const COMPARED = "polymarket-candles";
const ASIDE = new Set(["off", "replaced", "caught_up"]);

type Said = {
  /** Unix ms; what was said before does not count. */
  readonly since: number;
  /** So many processes must have said something. */
  readonly processes: number;
};

/** What the streams and derivations of every process still wait for, a sentence each. Throws where the records are away. */
export async function readWaiting({ db }: Records, { since, processes }: Said): Promise<string[]> {
  const said = await db.selectFrom("live_status").select("process").where("written_at", ">", new Date(since)).execute();
  if (said.length < processes) return [`${said.length} of ${processes} processes have said how they are`];
  const now = Date.now();
  const live = await findLive(db, new Date(now));
  const status = await readStatus({ connectors, db, live, now, venueNow: now });
  const streams = status.streams
    .filter(({ name, state }) => !ASIDE.has(state) && name !== EARLY)
    .map(({ name, state, lastError }) => `${name} is ${state}${lastError === null ? "" : ` (${lastError})`}`);
  const buckets = status.derivations[COMPARED] ?? 0;
  const derivations = buckets > 0 ? [`${COMPARED} has ${buckets} buckets to do`] : [];
  const gaps = status.streams
    .filter(({ gaps: { fillable } }) => fillable > 0)
    .map(({ name, gaps: { fillable } }) => `${name} has ${fillable} gaps to fill`);
  return [...streams, ...derivations, ...gaps];
}
