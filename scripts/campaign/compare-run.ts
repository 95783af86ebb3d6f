import type { World } from "../../packages/exchange/src/world/world.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import type { Ask } from "../verify/ask.ts";
import type { BookHistory, Venue } from "../verify/book-history.ts";
import { compareBooks } from "../verify/compare-books.ts";
import {
  compareCandles,
  compareFills,
  compareKalshiMarkets,
  compareKalshiTrades,
  compareMarkets,
} from "../verify/compare-streams.ts";
import { compareOperations, compareResolutions, compareTransfers, type Placer } from "../verify/compare-activity.ts";
import { fillKeys, type Fill, type Source } from "../verify/fills.ts";
import { Admission } from "./admission.ts";
import { overAdmittedSeconds, judgeTally } from "./judge-tally.ts";
import type { Places } from "./read-places.ts";
import type { Random } from "./random.ts";
import type { StreamResult } from "./run-result.ts";

export type Compared = {
  readonly world: World;
  readonly ask: Ask;
  readonly store: OpenStore;
  /** Source of the fills at the end. */
  readonly source: Source;
  readonly history: BookHistory;
  /** Positions on the chain now. */
  readonly places: Places;
  readonly fills: readonly Fill[];
  /** The world is paused from then on. */
  readonly toMs: number;
  readonly random: Random;
  readonly books: number;
  /** Whether Kalshi's books come by websocket; polled books are correct only at the end. */
  readonly hasKalshiKey: boolean;
  /** Time of the machine's clock. */
  readonly nowMs: number;
};

const MINUTE_MS = 60_000;

/** Compares all responses with everything that happened, stream by stream. */
export async function compareRun(run: Compared): Promise<StreamResult[]> {
  const admission = new Admission(run.ask);
  return [
    await judgeFills(run, admission),
    await judgeCandles(run, admission),
    ...(run.source === "chain" ? await judgeActivity(run, admission) : []),
    await judgeKalshiTrades(run, admission),
    await judgeMarkets(run, admission),
    await judgeKalshiMarkets(run, admission),
    await judgeBooks(run, admission, "polymarket"),
    await judgeBooks(run, admission, "kalshi"),
  ];
}

async function judgeFills(run: Compared, admission: Admission): Promise<StreamResult> {
  const { world, source, toMs, fills } = run;
  const keys = fillKeys(source);
  const timestamps = new Map(fills.map((fill) => [keys.ofTruth(fill), fill.match.block_ms]));
  const tally = await compareFills(world, run, source, "cursor", fills);
  const timestampOf = (key: string): number => timestamps.get(key) ?? toMs;
  const missing = [...tally.lostKeys, ...tally.wrongKeys].map(timestampOf);
  const range = { from: world.start_ms, to: toMs };
  return judgeTally(tally, {
    stream: "fills",
    isAdmitted: (key) => admission.admits(556, {}, timestampOf(key)),
    overAdmittedSeconds: await overAdmittedSeconds(admission, 556, {}, range, missing),
  });
}

/** Splits, merges, conversions, redemptions, resolutions, transfers: on chain only. Judged by their block's time. */
async function judgeActivity(run: Compared, admission: Admission): Promise<StreamResult[]> {
  const { places, toMs } = run;
  const { operations, resolutions, transfers } = run.world.polymarket;
  const timestamps = timestampsOf([...operations, ...resolutions, ...transfers], places.placer);
  const tallies = [
    ["operations", 1104, await compareOperations(run.world, run, places.placer)],
    ["resolutions", 1105, await compareResolutions(run.world, run, places.placer)],
    ["transfers", 1106, await compareTransfers(run.world, run, places.placer)],
  ] as const;
  return Promise.all(
    tallies.map(([stream, agentId, tally]) =>
      judgeTally(tally, {
        stream,
        // The key of a multi-token transfer has the position within the log after the log index.
        isAdmitted: (key) => admission.admits(agentId, {}, timestamps.get(key.split(" ", 2).join(" ")) ?? toMs),
        overAdmittedSeconds: 0,
      }),
    ),
  );
}

type OnChain = Parameters<Placer>[0] & { readonly block_ms: number };

/** "transaction log" → the current time of its block. */
function timestampsOf(happenings: readonly OnChain[], placer: Placer): ReadonlyMap<string, number> {
  const placed = happenings.map((one) => placer(one)).filter((one) => one !== undefined);
  return new Map(placed.map(({ tx_hash, log_index, block_ms }) => [`${tx_hash} ${log_index}`, block_ms]));
}

/** A candle must be correct if its minute's fills are complete; else the minute must be admitted as theirs is. */
async function judgeCandles(run: Compared, admission: Admission): Promise<StreamResult> {
  const tally = await compareCandles(run.world, run, run.source, "1m", run.fills);
  return judgeTally(tally, {
    stream: "candles",
    isAdmitted: (key) => {
      const start = Number(key.split(" ")[1]) * 1000;
      return admission.admitsWithin(556, {}, start, start + MINUTE_MS - 1);
    },
    overAdmittedSeconds: 0,
  });
}

async function judgeKalshiTrades(run: Compared, admission: Admission): Promise<StreamResult> {
  const { world, toMs } = run;
  const timestamps = new Map(world.kalshi.trades.map((trade) => [trade.trade_id, trade.ms]));
  const tally = await compareKalshiTrades(world, run, "cursor");
  const timestampOf = (key: string): number => timestamps.get(key) ?? toMs;
  const missing = [...tally.lostKeys, ...tally.wrongKeys].map(timestampOf);
  const range = { from: world.start_ms, to: toMs };
  return judgeTally(tally, {
    stream: "kalshi trades",
    isAdmitted: (key) => admission.admits(573, {}, timestampOf(key)),
    overAdmittedSeconds: await overAdmittedSeconds(admission, 573, {}, range, missing),
  });
}

/** A market and the times at which it changed to its current state. */
type Became = readonly [market: string, moments: readonly number[]];

/** A market is judged by the times at which it changed: created, closed, resolved. */
async function judgeMarkets(run: Compared, admission: Admission): Promise<StreamResult> {
  const { markets } = run.world.polymarket;
  const timestamps = new Map(
    markets.map(({ condition_id, created_ms, closed_ms, resolved_ms }): Became => [
      condition_id,
      [created_ms, closed_ms, resolved_ms].filter((ms) => ms !== null),
    ]),
  );
  return judgeTally(await compareMarkets(run.world, run, false), {
    stream: "markets",
    isAdmitted: (key) => admission.admitsOneOf(574, timestamps.get(key) ?? []),
    overAdmittedSeconds: 0,
  });
}

async function judgeKalshiMarkets(run: Compared, admission: Admission): Promise<StreamResult> {
  const { world, toMs } = run;
  const timestamps = new Map(
    world.kalshi.markets.map(({ ticker, created_ms, open_ms, close_ms, determined_ms, settled_ms }): Became => [
      ticker,
      [created_ms, open_ms, close_ms, determined_ms, settled_ms].filter(
        (ms): ms is number => ms !== null && ms <= toMs,
      ),
    ]),
  );
  return judgeTally(await compareKalshiMarkets(world, run, false), {
    stream: "kalshi markets",
    isAdmitted: (key) => admission.admitsOneOf(565, timestamps.get(key) ?? []),
    overAdmittedSeconds: 0,
  });
}

const BOOK = { polymarket: { agentId: 572, name: "token_id" }, kalshi: { agentId: 1102, name: "ticker" } } as const;

/** Books at random past times. A wrong one must lie in an admitted gap; the keys are "instrument ms". */
async function judgeBooks(run: Compared, admission: Admission, venue: Venue): Promise<StreamResult> {
  const { random, books } = run;
  const { agentId, name } = BOOK[venue];
  const { history, fromMs, toMs } = venue === "kalshi" && !run.hasKalshiKey ? polled(run) : stretch(run);
  const requested = { count: books, fromMs, toMs, random: () => random.next() };
  const tally = await compareBooks(history, run, venue, requested);
  return judgeTally(
    { ...tally, stored: tally.truth },
    {
      stream: `${venue} books`,
      isAdmitted: (key) => {
        const [instrument = "", ms] = key.split(" ");
        return admission.admits(agentId, { [name]: instrument }, Number(ms), instrument);
      },
      overAdmittedSeconds: 0,
    },
  );
}

type Stretch = {
  readonly history: Pick<BookHistory, "instruments" | "changesOf" | "bookAt">;
  readonly fromMs: number;
  readonly toMs: number;
};

const stretch = ({ history, toMs }: Compared): Stretch => ({ history, fromMs: history.startMs, toMs });

/** Polled books are stamped when polled: only the last poll of a market that still trades must be correct. */
function polled({ history, world, nowMs }: Compared): Stretch {
  const active = new Set(world.kalshi.markets.filter(({ status }) => status === "active").map(({ ticker }) => ticker));
  const instruments = history.instruments.filter(({ name }) => active.has(name));
  const of = { instruments, changesOf: () => 0, bookAt: history.bookAt.bind(history) };
  return { history: of, fromMs: nowMs, toMs: nowMs };
}
