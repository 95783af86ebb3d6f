import { type Batch, definePull, type PullOptions } from "../../definition/connector.ts";
import type { InsertRow } from "../../definition/table.ts";
import { polymarketIncome } from "../../tables/polymarket-income.ts";
import { polymarketIncomeWallets } from "../../tables/polymarket-income-wallets.ts";
import { isoSeconds } from "./exact/values.ts";
import { dataHost } from "./hosts.ts";
import { incomePageWire, readIncome, toIncome } from "./income/read-income.ts";

/** Overlap read again each time: a credit may appear late. */
const OVERLAP_SECONDS = 2 * 86_400;
/** Wallets per insert: one insert per wallet would cost more than the calls. */
const MAX_WALLETS = 50;
const ENOUGH_ROWS = 5000;
/** After this many unreadable wallets in a row the host is at fault, not the wallets. */
const MAX_FAILURES = 5;
const DUE = /^(0x[0-9a-f]{40}) (\d{1,10})$/;

/** `checked`: the second up to which its income is known; 0 if it was never completely read. */
type Due = { readonly wallet: string; readonly checked: number };
type Looked = { readonly rows: readonly InsertRow[]; readonly check: InsertRow; readonly others: number };

/**
 * Wallet income besides trades. The Data API lists it per wallet, so the most important wallets are requested, each
 * again after some hours, with the lowest priority in the budget. A completely read wallet has its time stored with its
 * rows: without it nothing is known of its income.
 */
export const polymarketIncomeStream = definePull({
  name: "polymarket-income",
  title: "Rewards, rebates and yield of Polymarket's largest wallets",
  venue: "polymarket",
  host: dataHost,
  tables: [polymarketIncome, polymarketIncomeWallets],
  isSelective: true,
  everySeconds: 300,
  canBackfill: false,
  isPatient: true,
  pull,
  replay: ({ read }) => [{ table: polymarketIncome, rows: toIncome(read(incomePageWire).items) }],
});

async function* pull(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const due = (await options.known("income_wallets")).flatMap(toDue);
  // If the last cycle stopped at failures, this one continues after them, so that they do not block the rest.
  const stopped = due.findIndex(({ wallet }) => wallet === options.cursor?.["after"]);
  let looked: Looked[] = [];
  let failed: Looked[] = [];
  let failure: unknown;
  let isFailing = true;
  for (const each of due.slice(stopped + 1)) {
    if (options.signal.aborted) return;
    try {
      const read = await look(options, each);
      looked.push(...failed, read);
      failed = [];
      isFailing = false;
    } catch (error) {
      if (options.signal.aborted) throw error;
      failure ??= error;
      failed.push(unread(options, each));
    }
    if (failed.length === MAX_FAILURES) {
      yield { ...toBatch(looked), cursor: { after: each.wallet }, isFailing };
      throw failure;
    }
    if (looked.length < MAX_WALLETS && looked.reduce((sum, { rows }) => sum + rows.length, 0) < ENOUGH_ROWS) continue;
    yield { ...toBatch(looked), cursor: {} };
    looked = [];
  }
  // If no wallet could be read the host may be at fault: they stay due.
  const rest = toBatch(isFailing ? [] : [...looked, ...failed]);
  yield { ...rest, cursor: {}, ...(failure === undefined ? { isCaughtUp: true } : { isFailing }) };
  if (failure !== undefined) throw failure;
}

function toDue(text: string): Due[] {
  const [, wallet, checked] = DUE.exec(text) ?? [];
  return wallet === undefined ? [] : [{ wallet, checked: Number(checked) }];
}

async function look(options: PullOptions, { wallet, checked }: Due): Promise<Looked> {
  const requested = Math.floor(options.now() / 1000);
  const { credits, isWhole } = await readIncome(options, wallet, Math.max(1, checked - OVERLAP_SECONDS));
  const rows = toIncome(credits);
  const check = checkOf(wallet, requested, isWhole ? requested : checked);
  return { rows, check, others: credits.length - rows.length };
}

/** A wallet that could not be read is retried in the next round, and stays known up to its previous time. */
function unread(options: PullOptions, { wallet, checked }: Due): Looked {
  return { rows: [], check: checkOf(wallet, Math.floor(options.now() / 1000), checked), others: 0 };
}

function checkOf(wallet: string, requested: number, known: number): InsertRow {
  return { wallet, asked_at: isoSeconds(requested), checked_at: known === 0 ? null : isoSeconds(known) };
}

/** Rows are stored first: a wallet is marked as completely read only after them. */
function toBatch(looked: readonly Looked[]): Pick<Batch, "rows" | "notices"> {
  const others = looked.reduce((sum, each) => sum + each.others, 0);
  const text = "/v2/activity returned rows of types that were not requested";
  return {
    rows: [
      { table: polymarketIncome, rows: looked.flatMap(({ rows }) => rows) },
      { table: polymarketIncomeWallets, rows: looked.map(({ check }) => check) },
    ],
    ...(others > 0 ? { notices: [{ kind: "upstream_note", text, count: others }] } : {}),
  };
}
