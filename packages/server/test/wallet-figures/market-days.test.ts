import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { thoroughly } from "../../../../scripts/vitest/thoroughly.ts";
import { polymarketPnl } from "../../src/datasets/polymarket-pnl.ts";
import { BUCKET_OF } from "../../src/datasets/served-wallet-days.ts";
import { compareValues } from "../../src/derivations/wallet-figures/tokens.ts";
import { marketDays } from "../../src/derivations/wallet-figures/market-days.ts";
import { pnlBuckets } from "../../src/derivations/wallet-figures/pnl-buckets.ts";
import { expectPages } from "../fixtures/expect-pages.ts";
import { foldedPositions } from "../fixtures/folded-positions.ts";
import { openRandomWallets } from "../fixtures/open-random-wallets.ts";
import { dateOf, RANDOM_DAYS, RANDOM_MARKETS } from "../fixtures/random-wallet.ts";
import { drawOf } from "../serving/random-fills.ts";

const WORLDS = thoroughly(8, 2);
const QUESTIONS = thoroughly(40, 12);
const CONDITIONS = RANDOM_MARKETS.map(({ condition }) => condition || `0x${"0".repeat(64)}`);
const draw = drawOf(seededRandom());
const { below } = draw;
const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
const some = (values: readonly string[]): string[] => [...new Set([pick(values), pick(values), pick(values)])];

type Place = { readonly at: number; readonly wallet: string };

let world: Awaited<ReturnType<typeof openRandomWallets>>;
beforeAll(async () => void (world = await openRandomWallets()));
afterAll(() => world.close());

test(
  "profit in some markets, made of a folded wallet, is in every byte what the engine answers",
  {
    timeout: 240_000,
  },
  async () => {
    let rows = 0;
    for (let round = 0; round < WORLDS; round += 1) {
      const { wallets } = await world.next(draw);
      for (let question = 0; question < QUESTIONS; question += 1) {
        const names = some([...wallets.keys()]);
        const [granularity, method] = [pick(["1d", "3d", "1w", "1m", "all"]), pick(["average", "fifo"])];
        const conditions = some(CONDITIONS);
        const [start, end] = [below(RANDOM_DAYS), below(RANDOM_DAYS)].toSorted((a, b) => a - b) as [number, number];
        const [isSince, isUntil] = [below(2) === 0, below(2) === 0];
        const params = {
          wallet: names.join(","),
          granularity,
          method,
          condition_id: conditions.join(","),
          ...(isSince ? { start_time: dateOf(start) } : {}),
          ...(isUntil ? { end_time: `${dateOf(end)}T11:00:00Z` } : {}),
        };
        const asked = {
          conditions: new Set(conditions),
          from: isSince ? Date.parse(dateOf(start)) / 1000 : 0,
          to: isUntil ? Date.parse(dateOf(end)) / 1000 : Number.POSITIVE_INFINITY,
          isFifo: method === "fifo",
        };
        const made = names.flatMap((wallet) => {
          const days = wallets.get(wallet);
          if (days === undefined) return [];
          const inMarkets = marketDays(foldedPositions(days, dateOf(RANDOM_DAYS - 1)), asked);
          return [...pnlBuckets(wallet, inMarkets, BUCKET_OF[granularity])].map(({ at, values }) => ({
            at,
            values,
            wallet,
          }));
        });
        const walk = { params, limit: pick([2, 7, 100]), format: pick(["raw", "typed", "ndjson"] as const) };
        rows += await expectPages<Place>(world.query, polymarketPnl, walk, {
          rows: made,
          compare: (a, b) => a.at - b.at || compareValues(a.wallet, b.wallet),
          placeOf: ([date, wallet]) => ({ at: Date.parse(String(date)) / 1000, wallet: String(wallet) }),
        });
      }
    }
    expect(rows).toBeGreaterThan(0);
  },
);
