import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atOnce } from "../../src/definition/pacing.ts";
import type { Amount } from "../../src/derivations/wallet/folded-wallet.ts";
import type { Resolution } from "../../src/derivations/wallet/ledger-row.ts";
import type { VenuePosition } from "../../src/derivations/wallet/venue-position.ts";
import type { ReportedRow } from "../../src/derivations/wallet-keyed/ledger-by-key.ts";
import { venuePositions } from "../../src/derivations/wallet-keyed/venue-positions.ts";

const CONDITION = `0x${"c".repeat(64)}`;
const [YES, NO] = ["1", "2"];

/** Dollars or shares in micro units. */
const m = (units: number): number => Math.round(units * 1e6);

let log = 0;
function row(kind: ReportedRow["kind"], shares: number, usd: number, given: Partial<ReportedRow> = {}): ReportedRow {
  log += 1;
  return {
    kind,
    at: log,
    block: log,
    log,
    sub: 0,
    tx: `0x${log}`,
    token: YES,
    condition: CONDITION,
    shares: m(shares),
    usd: m(usd),
    fee: 0,
    isMaker: false,
    isFeeKnown: true,
    feeShares: 0,
    ...given,
  };
}
const buy = (shares: number, price: number, given: Partial<ReportedRow> = {}) =>
  row("buy", shares, -shares * price, given);
const sell = (shares: number, price: number, given: Partial<ReportedRow> = {}) =>
  row("sell", -shares, shares * price, given);
/** The money is on the first of two rows. */
function sets(kind: "split" | "merge", shares: number): ReportedRow[] {
  const sign = kind === "split" ? 1 : -1;
  const first = row(kind, sign * shares, -sign * shares);
  return [first, { ...first, sub: 1, token: NO, usd: 0 }];
}
/** V1 takes the fee in shares: the fill has gross shares and the amount paid for them. */
const buyV1 = (gross: number, price: number, feeShares: number): ReportedRow =>
  row("buy", gross - feeShares, -(gross - feeShares) * price, { fee: m(feeShares * price), feeShares: m(feeShares) });

const wonBy = (yes: number): ReadonlyMap<string, Resolution> => {
  const payouts = new Map<string, Amount>([
    [YES, m(yes)],
    [NO, m(1 - yes)],
  ]);
  return new Map([[CONDITION, { at: 999, block: 999, log: 0, isFromCatalogue: false, payouts }]]);
};

type Held = { readonly balance: number; readonly mark?: number; readonly token?: string };
const shownOf = (position: VenuePosition, { balance, mark }: Held): [entry: number | null, pnl: number | undefined] => {
  const [entry, pnl] = [position.averageEntry, position.pnl(m(balance), mark === undefined ? undefined : m(mark))];
  return [entry && Number(entry.parts) / 1e12, pnl && Number(pnl.parts) / 1e12];
};
const shown = (rows: readonly ReportedRow[], held: Held, resolutions: ReadonlyMap<string, Resolution> = new Map()) =>
  shownOf(atOnce(venuePositions(rows, resolutions))(held.token ?? YES), held);

describe("a position as the venue reports it", () => {
  test("changes its entry price only by buying, and keeps it after the end", () => {
    const rows = [buy(100, 0.4), buy(100, 0.6), sell(50, 0.7)];
    expect(shown(rows, { balance: 150, mark: 0.8 })).toEqual([0.5, 55]);
    expect(shown([...rows, sell(150, 0.9)], { balance: 0 })).toEqual([0.5, 70]);
    expect(shown([...rows, sell(150, 0.9), buy(10, 0.2)], { balance: 10, mark: 0.3 })).toEqual([0.2, 71]);
  });

  test("excludes fees from its figures", () => {
    const rows = [buy(100, 0.4, { fee: m(1) }), sell(40, 0.5, { fee: m(2) })];
    expect(shown(rows, { balance: 60, mark: 0.5 })).toEqual([0.4, 10]);
  });

  test("splits and merges at 0.50, whatever the other side costs", () => {
    expect(shown(sets("split", 10), { balance: 10, mark: 0.3 })).toEqual([0.5, -2]);
    expect(shown([...sets("split", 10), ...sets("merge", 10)], { balance: 0 })).toEqual([0.5, 0]);
    const bought = [buy(10, 0.4), buy(10, 0.5, { token: NO }), ...sets("merge", 10)];
    expect(shown(bought, { balance: 0 })).toEqual([0.4, 1]);
    expect(shown(bought, { balance: 0, token: NO })).toEqual([0.5, 0]);
  });

  test("counts V1's fee shares as bought, and values the balance without them", () => {
    expect(shown([buyV1(100, 0.5, 1.5)], { balance: 98.5, mark: 1 })).toEqual([0.5, 49.25]);
    expect(shown([buyV1(100, 0.5, 1.5)], { balance: 98.5, mark: 0 })).toEqual([0.5, -49.25]);
    // Only the 98.5 received of 100 gross shares can be sold at the higher price.
    expect(shown([buyV1(100, 0.5, 1.5), sell(98.5, 0.6)], { balance: 0 })).toEqual([0.5, 9.85]);
    // The fee shares still count in the average of the next buy: 1.5 at 0.50 and 10 at 0.20.
    const again = [buyV1(100, 0.5, 1.5), sell(98.5, 0.6), buy(10, 0.2)];
    expect(shown(again, { balance: 10, mark: 0.2 })[0]).toBeCloseTo((1.5 * 0.5 + 10 * 0.2) / 11.5, 11);
  });

  test("counts transfers only in the balance", () => {
    const got = row("transfer_in", 20, 0);
    expect(shown([got], { balance: 20, mark: 0.5 })).toEqual([null, 10]);
    expect(shown([buy(10, 0.4), got], { balance: 30, mark: 0.5 })).toEqual([0.4, 3]);
    // A sale beyond the bought shares is no profit.
    expect(shown([buy(10, 0.4), got, sell(30, 0.5)], { balance: 0 })).toEqual([0.4, 1]);
    expect(shown([buy(10, 0.4), row("transfer_out", -10, 0)], { balance: 0 })).toEqual([0.4, 0]);
  });

  test.each([0, 0.5, 1])("has the same figures at a payout of %d, redeemed or not", (payout) => {
    const rows = [buyV1(100, 0.4, 1), row("transfer_in", 3, 0)];
    const held = shown(rows, { balance: 102, mark: payout });
    const redeemed = row("redemption", -102, 102 * payout);
    expect(shown([...rows, redeemed], { balance: 0 }, wonBy(payout))).toEqual(held);
    expect(shown([...rows, redeemed], { balance: 0 })).toEqual(held);
  });

  test("redeems both sides at once, each at its own payout", () => {
    const first = row("redemption", -10, 10);
    const rows = [buy(10, 0.4), buy(10, 0.3, { token: NO }), first, { ...first, sub: 1, token: NO, usd: 0 }];
    expect(shown(rows, { balance: 0 }, wonBy(0))).toEqual([0.4, -4]);
    expect(shown(rows, { balance: 0, token: NO }, wonBy(0))).toEqual([0.3, 7]);
  });

  test("converts NO at its entry price into YES at the remaining cost", () => {
    const first = row("conversion", -10, 10, { token: "12" });
    const converted = [
      first,
      { ...first, sub: 1, token: "22", usd: 0 },
      { ...first, sub: 2, token: "31", usd: 0, shares: m(10) },
    ];
    const rows = [buy(10, 0.9, { token: "12" }), buy(10, 0.7, { token: "22" }), ...converted];
    expect(shown(rows, { balance: 0, token: "12" })).toEqual([0.9, 0]);
    expect(shown(rows, { balance: 10, mark: 0.7, token: "31" })).toEqual([0.6, 1]);
  });

  test("has an undefined profit if it depends on a missing mark", () => {
    expect(shown([buy(10, 0.4)], { balance: 10 })).toEqual([0.4, undefined]);
  });
});

test("the profit stays within a millionth per row of the exact fractional rule", () => {
  const step = fc.record({
    isBuy: fc.boolean(),
    shares: fc.integer({ min: 1, max: 10 ** 10 }),
    price: fc.integer({ min: 1, max: 999_999 }),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const rows = steps.map(({ isBuy, shares, price }) => {
        const usd = Math.floor((shares * price) / 1e6);
        return row(isBuy ? "buy" : "sell", 0, 0, {
          shares: isBuy ? shares : -shares,
          usd: isBuy ? -usd : usd,
        });
      });
      const { balance, profitAt } = ruleOf(rows);
      const found = atOnce(venuePositions(rows, new Map()))(YES).pnl(balance, 300_000)?.parts ?? 0n;
      const off = found - profitAt(300_000n);
      expect(off < 0n ? -off : off).toBeLessThanOrEqual(BigInt(2 * rows.length) * 1_000_000n);
    }),
  );
});

const SCALE = 10n ** 30n;

/** The rule as documented, with 30 more digits for a; profit in parts of 10^12. */
function ruleOf(rows: readonly ReportedRow[]) {
  let [q, aq, r] = [0n, 0n, 0n];
  let a = 0n;
  for (const { kind, shares, usd } of rows) {
    const [size, money] = [BigInt(shares), BigInt(usd)];
    if (kind === "buy") {
      aq = a * q - money * SCALE;
      q += size;
      a = aq / q;
      continue;
    }
    const taken = -size < q ? -size : q;
    r += (money * SCALE * taken) / -size - taken * a;
    q -= taken;
  }
  return { balance: q, profitAt: (mark: bigint) => q * mark + ((r - q * a) * 1_000_000n) / SCALE };
}
