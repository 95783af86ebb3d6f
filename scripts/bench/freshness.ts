import { writeFileSync } from "node:fs";
import type { Ask, Page } from "../verify/ask.ts";
import { probeNewest, type Ages, type Newest } from "./freshness-newest.ts";
import { markdownTable } from "./markdown-table.ts";
import { quantile } from "./latency.ts";
import { withLiveWorld, type LiveWorld, type LiveWorldOptions } from "./live-world.ts";

export type FreshnessBench = LiveWorldOptions & {
  readonly seconds: number;
  readonly json: string;
};

type Line = { readonly what: string; readonly over: string; readonly ages: Ages };
type Probe = { readonly what: string; readonly over: string; readonly run: (signal: AbortSignal) => Promise<Ages> };

/** Pause between two polls of a probe: with the response time, the most it can add to an age. */
const PAUSE_MS = 250;
const MARKETS = 20;
const BOOKS = 2;

/** Latency from the exchange's send to the first HTTP response that has the row, by stream, in a real-time world. */
export function benchFreshness(options: FreshnessBench): Promise<void> {
  return withLiveWorld(options, async (world) => {
    const probes = await probesOf(options, world);
    const over = AbortSignal.timeout(options.seconds * 1000);
    const ages = await Promise.all(probes.map(({ run }) => run(over)));
    const lines = [...Map.groupBy(probes.keys(), (place) => probes[place]?.what ?? "")].map(([what, places]): Line => {
      return { what, over: probes[places[0] ?? 0]?.over ?? "", ages: places.flatMap((place) => ages[place] ?? []) };
    });
    writeFileSync(options.json, JSON.stringify({ options, lines }));
    process.stdout.write(`${table(lines)}\nEvery age in ms: ${options.json}\n`);
  });
}

async function probesOf({ source }: FreshnessBench, { ask, urls, sinceSent }: LiveWorld): Promise<Probe[]> {
  const newest = (what: string, over: string, of: Newest): Probe => {
    return { what, over, run: (signal) => probeNewest(ask, of, sinceSent, { pauseMs: PAUSE_MS, signal }) };
  };
  const timestamp = "timestamp";
  const byPlace = (row: Page["rows"][number]) => `${String(row[timestamp])} ${String(row["sequence"])}`;
  const [tokens, conditions] = [await busiest(ask, 556, "token_id"), await busiest(ask, 556, "condition_id")];
  const tickers = await busiest(ask, 573, "ticker");
  return [
    ...tokens.slice(0, BOOKS).map((token_id) => {
      return newest("572 books", "websocket", { agentId: 572, params: { token_id }, timestamp, idOf: byPlace });
    }),
    ...tickers.slice(0, BOOKS).map((ticker) => {
      return newest("1102 Kalshi books", "websocket", { agentId: 1102, params: { ticker }, timestamp, idOf: byPlace });
    }),
    newest("1103 tape", "websocket", {
      agentId: 1103,
      params: { token_id: tokens.join(",") },
      timestamp,
      idOf: (row) => JSON.stringify(row),
    }),
    newest(
      `556 trades by the ${source}`,
      source === "chain" ? "poll, 2 s, woken by RTDS" : "poll, 4 s, woken by RTDS",
      {
        agentId: 556,
        params: {},
        timestamp,
        idOf: (row) => String(row["transaction_hash"]),
      },
    ),
    newest("573 Kalshi trades", "poll, 5 s", {
      agentId: 573,
      params: { start_time: "2020-01-01" },
      timestamp: "created_time",
      idOf: (row) => String(row["trade_id"]),
    }),
    catalogue(ask, urls.gamma_url, POLYMARKET, conditions),
    catalogue(ask, urls.kalshi_url, KALSHI, tickers),
  ];
}

type Catalogue = {
  readonly what: string;
  readonly over: string;
  readonly agentId: number;
  readonly key: string;
  readonly volume: string;
  readonly path: (markets: readonly string[]) => string;
  readonly read: (reply: never) => Volumes;
};

const POLYMARKET: Catalogue = {
  what: "574 markets (volume)",
  over: "poll, 20 s",
  agentId: 574,
  key: "condition_id",
  volume: "volume_total",
  path: (markets) => `/markets?${markets.map((market) => `condition_ids=${market}`).join("&")}`,
  read: (reply: readonly { conditionId: string; volumeNum: number }[]) =>
    new Map(reply.map(({ conditionId, volumeNum }) => [conditionId, Number(volumeNum)])),
};

const KALSHI: Catalogue = {
  what: "565 Kalshi markets (volume)",
  over: "poll, 60 s",
  agentId: 565,
  key: "ticker",
  volume: "volume",
  path: (markets) => `/markets?limit=100&tickers=${markets.join(",")}`,
  read: (reply: { markets: readonly { ticker: string; volume_fp: string }[] }) =>
    new Map(reply.markets.map(({ ticker, volume_fp }) => [ticker, Number(volume_fp)])),
};

function catalogue(ask: Ask, address: string, given: Catalogue, markets: readonly string[]): Probe {
  const { agentId, key, volume, path, read, what, over } = given;
  const venue = async (): Promise<Volumes> => read((await (await fetch(`${address}${path(markets)}`)).json()) as never);
  const answer = async (): Promise<Volumes> => {
    const page = await ask(agentId, { [key]: markets.join(",") }, { limit: 100 });
    return new Map(page.rows.map((row) => [String(row[key]), Number(row[volume])]));
  };
  return { what, over, run: (signal) => probeVenue(venue, answer, { pauseMs: PAUSE_MS, signal }) };
}

/** The most frequent values of a field among the newest trades. */
async function busiest(ask: Ask, agentId: number, field: string): Promise<readonly string[]> {
  const { rows } = await ask(agentId, agentId === 573 ? { start_time: "2020-01-01" } : {}, { limit: 200 });
  const named = Map.groupBy(rows, (row) => String(row[field]));
  const most = [...named].toSorted(([, a], [, b]) => b.length - a.length).slice(0, MARKETS);
  if (most.length === 0) throw new Error(`${agentId} answers no rows yet`);
  return most.map(([value]) => value);
}

function table(lines: readonly Line[]): string {
  const heads = ["dataset", "gathered by", "rows", "p50 ms", "p99 ms", "max ms"];
  const printed = lines.map(({ what, over, ages }) => {
    const at = (share: number): string => (ages.length === 0 ? "–" : quantile(ages, share).toFixed(0));
    return [what, over, String(ages.length), at(0.5), at(0.99), at(1)];
  });
  return markdownTable(heads, printed);
}

/** Volume by market, which only grows. */
type Volumes = ReadonlyMap<string, number>;

type Reported = { readonly at: number; readonly volume: number };

/**
 * Polls the volumes of some markets at the venue's endpoint and in the service's responses, until stopped. A volume's
 * age at the first response that has it, or a later one, is the real time since the venue was first seen to report it.
 */
async function probeVenue(
  venue: () => Promise<Volumes>,
  answer: () => Promise<Volumes>,
  { pauseMs, signal }: { readonly pauseMs: number; readonly signal: AbortSignal },
): Promise<Ages> {
  const waiting = new Map<string, Reported[]>();
  const last = new Map<string, number>();
  const ages: Ages = [];
  const atVenue = async (): Promise<void> => {
    const volumes = await venue();
    const at = performance.now();
    for (const [market, volume] of volumes) {
      const before = last.get(market);
      last.set(market, volume);
      if (before === undefined || volume <= before) continue;
      waiting.set(market, [...(waiting.get(market) ?? []), { at, volume }]);
    }
  };
  const inAnswers = async (): Promise<void> => {
    const volumes = await answer();
    const at = performance.now();
    for (const [market, volume] of volumes) {
      const reported = waiting.get(market) ?? [];
      const here = reported.filter((one) => one.volume <= volume + 1e-6);
      for (const one of here) ages.push(at - one.at);
      waiting.set(market, reported.slice(here.length));
    }
  };
  while (!signal.aborted) {
    await Promise.all([atVenue(), inAnswers()]);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return ages;
}
