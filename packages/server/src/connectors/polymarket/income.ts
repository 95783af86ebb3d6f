import { type Batch, definePull, type PullOptions } from "../../definition/connector.ts";
import type { InsertRow } from "../../definition/table.ts";
import { polymarketIncome } from "../../tables/polymarket-income.ts";
import { polymarketIncomeWallets } from "../../tables/polymarket-income-wallets.ts";
import { isoSeconds } from "./exact/moments.ts";
import { dataHost } from "./hosts.ts";
import { incomePageWire, readIncome, toIncome } from "./income/read-income.ts";

/** Read again each time: a credit may show late. */
const OVERLAP_SECONDS = 2 * 86_400;
/** What is stored at once: an insert a wallet would cost more than the calls. */
const MOST_WALLETS = 50;
const ENOUGH_ROWS = 5000;
/** So many wallets in a row that cannot be read are the host's fault and not theirs. */
const MOST_FAILURES = 5;
const DUE = /^(0x[0-9a-f]{40}) (\d{1,10})$/;

/** `checked`: the second up to which it is known; 0 where it never was read whole. */
type Due = { readonly wallet: string; readonly checked: number };
type Looked = { readonly rows: readonly InsertRow[]; readonly check: InsertRow; readonly others: number };

/**
 * What wallets get beside their trades. The Data API tells it wallet by wallet, so it is asked for the wallets that
 * matter most, each again after some hours, behind everything else in the budget. Of a wallet that was read whole the
 * time is stored with its rows: without it nothing is known of its income.
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
  // Where the last turn stopped at failures this one goes on behind them: they keep nobody waiting.
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
    if (failed.length === MOST_FAILURES) {
      yield { ...toBatch(looked), cursor: { after: each.wallet }, isFailing };
      throw failure;
    }
    if (looked.length < MOST_WALLETS && looked.reduce((sum, { rows }) => sum + rows.length, 0) < ENOUGH_ROWS) continue;
    yield { ...toBatch(looked), cursor: {} };
    looked = [];
  }
  // Where nobody was read it may be the host's fault: they stay due.
  const rest = toBatch(isFailing ? [] : [...looked, ...failed]);
  yield { ...rest, cursor: {}, ...(failure === undefined ? { isCaughtUp: true } : { isFailing }) };
  if (failure !== undefined) throw failure;
}

function toDue(text: string): Due[] {
  const [, wallet, checked] = DUE.exec(text) ?? [];
  return wallet === undefined ? [] : [{ wallet, checked: Number(checked) }];
}

async function look(options: PullOptions, { wallet, checked }: Due): Promise<Looked> {
  const asked = Math.floor(options.now() / 1000);
  const { credits, isWhole } = await readIncome(options, wallet, Math.max(1, checked - OVERLAP_SECONDS));
  const rows = toIncome(credits);
  const check = checkOf(wallet, asked, isWhole ? asked : checked);
  return { rows, check, others: credits.length - rows.length };
}

/** It could not be read: it is asked for again with the next round, and known up to where it was. */
function unread(options: PullOptions, { wallet, checked }: Due): Looked {
  return { rows: [], check: checkOf(wallet, Math.floor(options.now() / 1000), checked), others: 0 };
}

function checkOf(wallet: string, asked: number, known: number): InsertRow {
  return { wallet, asked_at: isoSeconds(asked), checked_at: known === 0 ? null : isoSeconds(known) };
}

/** The rows first: that a wallet was read whole is said once they are stored. */
function toBatch(looked: readonly Looked[]): Pick<Batch, "rows" | "notices"> {
  const others = looked.reduce((sum, each) => sum + each.others, 0);
  const text = "/v2/activity gave rows of types that were not asked for";
  return {
    rows: [
      { table: polymarketIncome, rows: looked.flatMap(({ rows }) => rows) },
      { table: polymarketIncomeWallets, rows: looked.map(({ check }) => check) },
    ],
    ...(others > 0 ? { notices: [{ kind: "upstream_note", text, count: others }] } : {}),
  };
}
