import { INCOME_KINDS } from "../definition/vocabulary.ts";
import { exactMicros } from "../definition/micros.ts";
import { timestampMicros } from "../definition/timestamp.ts";
import { placedRows, type KeyedReader, type ReadKeyed, type ServedKeyed } from "../definition/served-keyed.ts";
import { LAST_SECOND } from "../definition/served.ts";
import type { Bound } from "../definition/sql.ts";
import { ofIncome, ofResolutions, type Income, type LedgerEntry } from "../derivations/wallet-figures/ledger-entry.ts";
import {
  compareLedgerRows,
  ledgerPlaceOf,
  ledgerRows,
  type LedgerPageRow,
} from "../derivations/wallet-figures/ledger-rows.ts";
import { FOLDED_FROM, foldedByKey } from "../derivations/wallet-keyed/folded-by-key.ts";
import type { Span } from "../derivations/wallet-keyed/ledger-by-key.ts";
import {
  LEDGER_FROM,
  ofReported,
  reportedLedger,
  type ReportedLedger,
} from "../derivations/wallet-keyed/reported-ledger.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { servedIncome } from "../tables/served-income.ts";
import { setOf } from "./list-of.ts";

type Requested = Readonly<
  Partial<Record<"proxy_wallet" | "kind" | "condition_id" | "token_id" | "start_time" | "end_time", Bound>>
>;

const DAY = 86_400;
const INCOME: ReadonlySet<string> = new Set(INCOME_KINDS);
const NOTHING_REPORTED: ReportedLedger = { rows: [], reported: new Map() };

const secondOf = (timestamp: Bound | undefined): number | undefined => timestamp && timestampMicros(timestamp) / 1e6;

/** Whether the requested rows depend on resolutions of holdings, only on ledger rows, or only on income. */
type Part = "all" | "ledger" | "income";

function partOf(kind: string | undefined): Part {
  if (kind === undefined || kind === "resolution") return "all";
  return INCOME.has(kind) ? "income" : "ledger";
}

const READS: Readonly<Record<Part, Pick<ServedKeyed, "tables" | "tokens">>> = {
  all: { tables: [...FOLDED_FROM, servedIncome], tokens: polymarketTokens },
  ledger: { tables: LEDGER_FROM, tokens: polymarketTokens },
  income: { tables: [servedIncome] },
};

/** Rows of a wallet within a span (possibly more ledger rows), with the facts known about their tokens; in steps. */
function* entriesOf(
  wallet: string,
  part: Part,
  span: Span,
  reader: KeyedReader,
): Generator<undefined, [LedgerEntry[], ReportedLedger]> {
  const income = part === "ledger" ? [] : ofIncome(incomeOf(wallet, span, reader.rows));
  if (part === "income") return [income, NOTHING_REPORTED];
  if (part === "ledger") {
    const ledger = yield* reportedLedger(wallet, reader, span);
    return [[...ledger.rows], ledger];
  }
  const folded = yield* foldedByKey({ wallet, asOf: Math.floor(span.to / DAY) }, reader);
  if (folded === undefined) return [income, NOTHING_REPORTED];
  const { ledger, tokenDays, resolutions } = folded;
  return [[...ledger.rows, ...ofResolutions(tokenDays, resolutions), ...income], ledger];
}

function incomeOf(wallet: string, span: Span, read: ReadKeyed): Income[] {
  return Array.from(read(servedIncome, "wallet", wallet, span), (row) => ({
    kind: row.value("kind") as Income["kind"],
    at: row.number("ts"),
    tx: String(row.value("tx_hash")),
    amount: exactMicros(row.micros("amount_usd")),
    place: row.number("place"),
  }));
}

/** Dataset 1002 from wallets' ledgers by key, folded where resolutions are requested. */
export const servedWalletLedger: Omit<ServedKeyed, "order"> = {
  ...READS.all,
  types: { log_index: "UInt32", place: "UInt32", block_number: "Nullable(UInt32)" },
  search: (p: Requested, { after: keys, depth }) => {
    const after = keys && ledgerPlaceOf(keys);
    const requested = {
      kind: p.kind && String(p.kind.value),
      conditions: setOf(p.condition_id),
      tokens: setOf(p.token_id),
      from: secondOf(p.start_time),
      to: secondOf(p.end_time),
    };
    const part = partOf(requested.kind);
    const wallets = setOf(p.proxy_wallet) ?? new Set();
    // Newest first: rows later than the cursor's position were on earlier pages.
    const to = Math.floor(Math.min(requested.to ?? LAST_SECOND, after?.at ?? LAST_SECOND));
    const span = { from: Math.max(0, Math.ceil(requested.from ?? 0)), to };
    return {
      // Rows of all wallets share one order, so they are read under a single key.
      keys: [[...wallets].join(",")],
      from: part === "all" ? 0 : span.from,
      isPlaced: true,
      reads: READS[part],
      rows: function* rows(_, reader) {
        const found: LedgerPageRow[][] = [];
        for (const wallet of wallets) {
          const [entries, ledger] = yield* entriesOf(wallet, part, span, reader);
          found.push(ledgerRows(wallet, entries, ofReported(ledger), requested));
        }
        yield* placedRows(found.flat(), { compare: compareLedgerRows, after, depth });
      },
    };
  },
};
