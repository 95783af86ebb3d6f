import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { bodyOf } from "../ask-question.ts";
import { addressOf, type Got, type Target } from "./target.ts";
import { countsOf, statusOf } from "./paying.ts";

const DAY_MS = 86_400_000;
/** Longest list that the free plan allows. */
const MANY = 50;
const REFUSED_MS = 100;

/** The most expensive requests that the free plan allows, no two alike. */
function dearest({ wallets, lastDay }: Target, turn: number): string {
  const round = Math.floor(turn / 4);
  const before = (days: number): string => new Date(Date.parse(lastDay) - days * DAY_MS).toISOString();
  const many = Array.from({ length: MANY }, (_, index) => wallets[(round * MANY + index) % wallets.length]).join(",");
  if (turn % 4 === 0) {
    const window = { lookback_hours: "8760", end_time: before((round % 4000) / 1440) };
    return bodyOf(596, { method: "robust", ...window }, 200);
  }
  if (turn % 4 === 1) {
    return bodyOf(
      596,
      { start_time: before(40 + (round % 4000) / 1440), end_time: before(0), min_change_pct: "1" },
      200,
    );
  }
  if (turn % 4 === 2) return bodyOf(581, { proxy_wallet: many, window_days: "all" }, MANY);
  return bodyOf(579, { leaderboard_period: "all", as_of: before(round % 150).slice(0, 10) }, 200);
}

/** Keeps as many requests in flight as the plan allows; a refused one is retried after a tenth of a second. */
export async function askExpensively(target: Target, signal: AbortSignal): Promise<Got> {
  const { baseUrl, keys, atOnce } = target;
  const pool = new Pool(baseUrl, { connections: atOnce, pipelining: 1, localAddress: addressOf("expensive") });
  const got: string[] = [];
  let turn = 0;
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      const mine = turn++;
      const status = await statusOf(pool, keys[mine % keys.length] ?? "", dearest(target, mine));
      if (signal.aborted) return;
      got.push(status);
      if (status !== "200") await sleep(REFUSED_MS);
    }
  };
  const loops = Promise.all(Array.from({ length: atOnce }, loop));
  // In-flight requests are abandoned at the end: the service must drop them by itself.
  signal.addEventListener("abort", () => void pool.destroy(), { once: true });
  await loops;
  return countsOf(got);
}
