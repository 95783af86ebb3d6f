import type { Kysely } from "kysely";
import type { Connector, Feed } from "../definition/connector.ts";
import type { RecordsSchema } from "../records/schema.ts";
import type { Store } from "../store/store.ts";
import { saveState } from "./control/save-batch.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import type { Listener } from "./derive.ts";
import { createKnown } from "./known.ts";
import type { Planned } from "./plan-streams.ts";
import { runPull } from "./pull.ts";
import type { IngestOptions } from "./schedule.ts";
import { runSocket } from "./socket/run-socket.ts";
import { SOCKET_PACE } from "./socket/socket-run.ts";
import { createStoredFills } from "./stored-fills.ts";
import type { StreamWatch } from "./stream-watch.ts";
import type { Upstreams } from "./upstreams.ts";
import type { Wakes } from "./waking.ts";
import { createWrite } from "./write.ts";
import type { StoredPosts } from "../definition/known.ts";
import { bind, sql } from "../definition/sql.ts";

/** Several days of posts of a source that is checked. */
const MAX_POSTS = 100_000;

/** Looks up stored posts for a check. */
function createStoredPosts(store: Pick<Store, "rows">): StoredPosts {
  return async (source, from, to) => {
    const [first, end, by] = [bind("Int64", from), bind("Int64", to), bind("String", source)];
    const within = sql`source = ${by} AND ts >= fromUnixTimestamp64Milli(${first}, 'UTC') AND ts < fromUnixTimestamp64Milli(${end}, 'UTC')`;
    const rows = await store.rows<{ id: string; ms: string }>(
      sql`SELECT id, toString(max(toUnixTimestamp64Milli(ts))) AS ms FROM social_posts WHERE ${within} AND id GLOBAL NOT IN (SELECT id FROM social_removals WHERE source = ${by} AND what = 'record') GROUP BY id ORDER BY id LIMIT ${bind("UInt32", MAX_POSTS + 1)}`,
    );
    if (rows.length > MAX_POSTS)
      throw new RangeError(`more than ${MAX_POSTS} posts of ${source} from ${from} to ${to}`);
    return rows.map(({ id, ms }) => ({ id, ts: Number(ms) }));
  };
}

/** What streams write to. */
export type IngestContext = {
  readonly db: Kysely<RecordsSchema>;
  readonly store: Store;
  /** Waits until this process may write; throws once it no longer may. Absent: it always may. */
  readonly sure?: () => Promise<void>;
};

export type StreamEngine = Pick<
  IngestOptions,
  "log" | "clock" | "venueNow" | "settings" | "known" | "socketsPerStream"
> &
  IngestContext & {
    readonly metrics: IngestMetrics;
    readonly upstreams: Upstreams;
    readonly deriver: Listener;
    readonly wakes: Wakes;
  };

/** Sockets are given this many markets beyond their capacity, so that they can report how many they omit. */
const MORE_MARKETS = 100_000;
const START_AGAIN_MS = 5000;

/** Runs a stream until aborted, if its settings allow it, restarting it after a failure. */
export async function startStream(
  engine: StreamEngine,
  { connector, state, why }: Planned,
  watch: StreamWatch,
  signal: AbortSignal,
): Promise<void> {
  const { log, clock } = engine;
  watch.state = state === "on" ? "starting" : state;
  watch.note = why;
  log.info({ stream: connector.name, state, why }, `${connector.title} is ${state}`);
  let isSaved = await hasSavedState(engine, watch);
  if (state !== "on") {
    while (!isSaved) {
      await clock.sleep(START_AGAIN_MS, signal).catch(() => undefined);
      isSaved = signal.aborted || (await hasSavedState(engine, watch));
    }
    return;
  }
  while (!signal.aborted) {
    try {
      await runStream(engine, connector, watch, signal);
    } catch (error) {
      watch.state = "failing";
      watch.failed(error, clock.now());
      log.error({ err: error, stream: connector.name }, "a stream crashed; restarting it");
      await clock.sleep(START_AGAIN_MS, signal).catch(() => undefined);
    }
  }
}

/**
 * An active stream's first turn saves what failed here, but a disabled one has no turns: coverage would keep waiting
 * for the rows of an earlier run's stream.
 */
async function hasSavedState({ db, log, clock }: StreamEngine, { name, state }: StreamWatch): Promise<boolean> {
  try {
    await saveState(db, name, state, new Date(clock.now()));
    return true;
  } catch (error) {
    log.warn({ err: error, stream: name }, "a stream's state could not be recorded");
    return false;
  }
}

function runStream(engine: StreamEngine, connector: Connector, watch: StreamWatch, signal: AbortSignal): Promise<void> {
  const { db, sure, clock, log, metrics, upstreams, store, deriver, settings, wakes, venueNow = clock.now } = engine;
  const feedOf = (host: Connector["host"]): Feed =>
    upstreams.feedOf(host, connector.name, priorityOf(connector), signal);
  const shared = {
    db,
    write: createWrite({ store, deriver, metrics, sure, announceKnown: false, reread: upstreams.reread }),
    known: createKnown(store, venueNow, engine.known),
    storedFills: createStoredFills(store, db),
    storedPosts: createStoredPosts(store),
    venueNow,
    clock,
    log,
    metrics,
    watch,
    signal,
  };
  if (connector.kind === "pull") {
    const also = Object.fromEntries((connector.also ?? []).map((host) => [host.name, feedOf(host)]));
    const spendable = upstreams.spendableOf(connector.host);
    const waking = wakes.open(connector, { ...clock, now: venueNow });
    return runPull({ ...shared, connector, feed: feedOf(connector.host), also, spendable, waking });
  }
  const maxSockets = engine.socketsPerStream ?? SOCKET_PACE.maxSockets;
  const markets = maxSockets * connector.maxInstrumentsPerSocket + MORE_MARKETS;
  return runSocket({
    ...shared,
    connector,
    known: createKnown(store, venueNow, { ...engine.known, markets }),
    baseUrl: upstreams.addressOf(connector.host),
    settings: present(settings),
    budget: upstreams.budgetOf(connector.host),
    feed: connector.resyncHost && feedOf(connector.resyncHost),
    park: upstreams.park,
    raw: upstreams.raw,
    pace: { maxSockets },
    wakes,
  });
}

const priorityOf = (connector: Connector): "live" | "backfill" =>
  connector.kind === "pull" && connector.isPatient ? "backfill" : "live";

function present(settings: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(given);
}
