/** A row of dataset 1002 as returned. */
export type AuditRow = Readonly<Record<string, unknown>>;

/** Figures of a wallet's days that 581 reports. */
export type Audited = { buys: number; sells: number; bought: number; fees: number; realized: number; cash: number };

type Held = { shares: number; cost: number; payout?: number };

const DUST = 1e-9;

/**
 * Figures of a wallet by UTC day (YYYY-MM-DD), computed only from the rows of its ledger, in any order: average cost in
 * floats, as in design/analytics.md.
 */
export function auditLedger(rows: readonly AuditRow[]): Map<string, Audited> {
  const held = new Map<string, Held>();
  const days = new Map<string, Audited>();
  for (const operation of operationsOf(rows)) {
    const [first] = operation;
    const key = String(first?.["timestamp"]).slice(0, 10);
    const day = days.get(key) ?? { buys: 0, sells: 0, bought: 0, fees: 0, realized: 0, cash: 0 };
    days.set(key, day);
    for (const row of operation) {
      day.fees += Number(row["fee_usd"]);
      day.cash += Number(row["usd"]) - Number(row["fee_usd"]);
      if (row["kind"] === "buy") [day.buys, day.bought] = [day.buys + 1, day.bought - Number(row["usd"])];
      if (row["kind"] === "sell") day.sells += 1;
    }
    day.realized += gainOf(operation, held) - operation.reduce((sum, row) => sum + Number(row["fee_usd"]), 0);
  }
  return days;
}

/** Rows of one transaction, log and kind are one operation; oldest first. */
function operationsOf(rows: readonly AuditRow[]): AuditRow[][] {
  const keyOf = (row: AuditRow): string =>
    [row["timestamp"], row["transaction_hash"], row["log_index"], row["kind"] === "resolution" ? row["token_id"] : ""]
      .map(String)
      .join(" ");
  const inOrder = rows.toSorted((a, b) =>
    keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : Number(a["place"]) - Number(b["place"]),
  );
  return [...Map.groupBy(inOrder, keyOf).values()];
}

function gainOf(operation: readonly AuditRow[], held: Map<string, Held>): number {
  const total = operation.reduce((sum, row) => sum + Number(row["usd"]), 0);
  const lots = operation.map((row) => {
    const token = String(row["token_id"]);
    const own = held.get(token) ?? { shares: 0, cost: 0 };
    held.set(token, own);
    return { own, shares: Number(row["shares"]), price: Number(row["price"]) };
  });
  const kind = operation[0]?.["kind"];
  if (kind === "conversion") return convert(lots, total);
  return lots.reduce((gain, { own, shares, price }) => {
    if (kind === "resolution") return gain + settle(own, price);
    const money = kind === "redemption" ? Math.abs(shares) * (own.payout ?? 0) : Math.abs(total) / lots.length;
    return gain + (shares > 0 ? acquire(own, shares, money) : dispose(own, -shares, money));
  }, 0);
}

function acquire(own: Held, shares: number, cost: number): number {
  own.shares += shares;
  own.cost += cost;
  return own.payout === undefined ? 0 : settle(own, own.payout);
}

function dispose(own: Held, shares: number, proceeds: number): number {
  const released = Math.min(shares, own.shares);
  if (released < DUST) return 0;
  const cost = (own.cost * released) / own.shares;
  own.shares -= released;
  own.cost -= cost;
  return (proceeds * released) / shares - cost;
}

function settle(own: Held, payout: number): number {
  const gain = own.shares * payout - own.cost;
  own.payout = payout;
  own.cost = own.shares * payout;
  return gain;
}

function convert(lots: readonly { own: Held; shares: number }[], money: number): number {
  const taken = lots.filter(({ shares }) => shares > 0);
  const cost = lots.reduce((sum, { own, shares }) => (shares < 0 ? sum - dispose(own, -shares, 0) : sum), -money);
  if (taken.length === 0) return -cost;
  return taken.reduce((gain, { own, shares }) => gain + acquire(own, shares, cost / taken.length), 0);
}
