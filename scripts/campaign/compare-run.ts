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
import { compareOperations, compareResolutions, compareTransfers } from "../verify/compare-activity.ts";
import { fillKeys, type Fill, type Source } from "../verify/fills.ts";
import { Admission } from "./admission.ts";
import { overAdmittedSeconds } from "./gap-seconds.ts";
import { judgeTally } from "./judge-tally.ts";
import type { Places } from "./read-places.ts";
import type { Random } from "./random.ts";
import type { StreamResult } from "./run-result.ts";

export type Compared = {
  readonly world: World;
  readonly ask: Ask;
  readonly store: OpenStore;
  /** Where the fills come from at the end. */
  readonly source: Source;
  readonly history: BookHistory;
  /** What is on the chain now, and where. */
  readonly places: Places;
  readonly fills: readonly Fill[];
  /** The world stood still from then on. */
  readonly toMs: number;
  readonly random: Random;
  readonly books: number;
  /** Whether Kalshi's books come by websocket; polled ones are right only at the end. */
  readonly hasKalshiKey: boolean;
  /** By the machine's clock. */
  readonly nowMs: number;
};

const A_MINUTE_MS = 60_000;

/** Everything that is answered against everything that happened, stream by stream. */
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
  const moments = new Map(fills.map((fill) => [keys.ofTruth(fill), fill.match.block_ms]));
  const tally = await compareFills(world, run, source, "cursor", fills);
  const momentOf = (key: string): number => moments.get(key) ?? toMs;
  const missing = [...tally.lostKeys, ...tally.wrongKeys].map(momentOf);
  const range = { from: world.start_ms, to: toMs };
  return judgeTally(tally, {
    stream: "fills",
    isAdmitted: (key) => admission.admits(556, {}, momentOf(key)),
    overAdmittedSeconds: await overAdmittedSeconds(admission, 556, {}, range, missing),
  });
}

/** Splits, merges, conversions and redemptions, resolutions, transfers: they come with the chain alone. */
async function judgeActivity(run: Compared, admission: Admission): Promise<StreamResult[]> {
  const { world, places } = run;
  const tallies = [
    ["operations", 1104, await compareOperations(world, run, places.placer)],
    ["resolutions", 1105, await compareResolutions(world, run, places.placer)],
    ["transfers", 1106, await compareTransfers(world, run, places.placer)],
  ] as const;
  const range = { start_time: String(world.start_ms + A_MINUTE_MS), end_time: String(run.toMs) };
  return Promise.all(
    tallies.map(([stream, agentId, tally]) =>
      judgeTally(tally, {
        stream,
        isAdmitted: () => admission.admitsAny(agentId, range, world.start_ms),
        overAdmittedSeconds: 0,
      }),
    ),
  );
}

/** A candle is right where the fills of its minute are whole; else the minute must be admitted as theirs is. */
async function judgeCandles(run: Compared, admission: Admission): Promise<StreamResult> {
  const tally = await compareCandles(run.world, run, run.source, "1m", run.fills);
  return judgeTally(tally, {
    stream: "candles",
    isAdmitted: (key) => {
      const start = Number(key.split(" ")[1]) * 1000;
      return admission
        .admits(556, {}, start)
        .then(async (isAdmitted) => isAdmitted || (await isAdmittedWithin(admission, start)));
    },
    overAdmittedSeconds: 0,
  });
}

async function isAdmittedWithin(admission: Admission, startMs: number): Promise<boolean> {
  const asked = { start_time: String(startMs), end_time: String(startMs + A_MINUTE_MS - 1) };
  return admission.admitsAny(556, asked, startMs);
}

async function judgeKalshiTrades(run: Compared, admission: Admission): Promise<StreamResult> {
  const { world, toMs } = run;
  const moments = new Map(world.kalshi.trades.map((trade) => [trade.trade_id, trade.ms]));
  const tally = await compareKalshiTrades(world, run, "cursor");
  const momentOf = (key: string): number => moments.get(key) ?? toMs;
  const missing = [...tally.lostKeys, ...tally.wrongKeys].map(momentOf);
  const range = { from: world.start_ms, to: toMs };
  return judgeTally(tally, {
    stream: "kalshi trades",
    isAdmitted: (key) => admission.admits(573, {}, momentOf(key)),
    overAdmittedSeconds: await overAdmittedSeconds(admission, 573, {}, range, missing),
  });
}

async function judgeMarkets(run: Compared, admission: Admission): Promise<StreamResult> {
  const tally = await compareMarkets(run.world, run, false);
  return judgeTally(tally, {
    stream: "markets",
    isAdmitted: () => admission.admitsAny(574, {}, run.world.start_ms),
    overAdmittedSeconds: 0,
  });
}

async function judgeKalshiMarkets(run: Compared, admission: Admission): Promise<StreamResult> {
  const tally = await compareKalshiMarkets(run.world, run, false);
  return judgeTally(tally, {
    stream: "kalshi markets",
    isAdmitted: () => admission.admitsAny(565, {}, run.world.start_ms),
    overAdmittedSeconds: 0,
  });
}

const BOOK = { polymarket: { agentId: 572, name: "token_id" }, kalshi: { agentId: 1102, name: "ticker" } } as const;

/** Books at random past moments. One that is not right must lie in an admitted gap; the keys are "instrument ms". */
async function judgeBooks(run: Compared, admission: Admission, venue: Venue): Promise<StreamResult> {
  const { random, books } = run;
  const { agentId, name } = BOOK[venue];
  const { history, fromMs, toMs } = venue === "kalshi" && !run.hasKalshiKey ? polled(run) : stretch(run);
  const asked = { count: books, fromMs, toMs, random: () => random.next() };
  const tally = await compareBooks(history, run, venue, asked);
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

/** Looked at now and then, and stamped when looked at: only the last look at a market that still trades must be right. */
function polled({ history, world, nowMs }: Compared): Stretch {
  const active = new Set(world.kalshi.markets.filter(({ status }) => status === "active").map(({ ticker }) => ticker));
  const instruments = history.instruments.filter(({ name }) => active.has(name));
  const of = { instruments, changesOf: () => 0, bookAt: history.bookAt.bind(history) };
  return { history: of, fromMs: nowMs, toMs: nowMs };
}
