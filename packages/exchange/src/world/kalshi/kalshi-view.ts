import type {
  KalshiBook,
  KalshiEvent,
  KalshiMarket,
  KalshiNames,
  KalshiQuote,
  KalshiStatus,
  KalshiTrade,
} from "../kalshi-contract.ts";
import { firstIndex } from "../first-index.ts";
import { PRICE_RANGES, KalshiSide } from "./kalshi-book.ts";
import type { KalshiEventPlan, KalshiMarketPlan } from "./kalshi-plan.ts";
import type { Latent } from "../core/latent.ts";
import { HASH_KIND, mixHex } from "../core/mix-hash.ts";

const DAY = 86_400_000;

/** A Kalshi market: names, book, trades and derived figures. */
export type KalshiView = KalshiFigures & KalshiNames;

export class KalshiFigures implements Omit<KalshiMarket, keyof KalshiNames> {
  readonly plan: KalshiEventPlan;
  readonly index: number;
  readonly latent: Latent;
  readonly event: KalshiEvent;
  readonly ticker: string;
  readonly market_id: string;
  readonly no_sub_title: string;
  readonly rules_primary: string;
  readonly price_level_structure: KalshiMarket["price_level_structure"];
  readonly price_ranges: KalshiMarket["price_ranges"];
  readonly created_ms: number;
  readonly open_ms: number;
  readonly settlement_timer_seconds: number;
  readonly yes: KalshiSide = new KalshiSide();
  readonly no: KalshiSide = new KalshiSide();
  close_ms: number;
  updated_ms: number;
  determined_ms: number | null = null;
  settled_ms: number | null = null;
  paused = false;
  /** A dispute of the result, open or decided; "" if none. */
  dispute: "" | "disputed" | "amended" = "";
  result: KalshiMarket["result"] = "";
  settlement_value_e4: number | null = null;
  expiration_value = "";
  last_price_e4: number | null = null;
  volume_cc = 0;
  open_interest_cc = 0;
  /** Error of the quotes, in logits. */
  bias = 0;
  private readonly reached: () => number;
  private readonly list: KalshiTrade[] = [];
  private readonly volumes: number[] = [];
  private readonly quoteList: KalshiQuote[] = [];

  constructor(
    plan: KalshiEventPlan,
    market: KalshiMarketPlan,
    latent: Latent,
    event: KalshiEvent,
    seed: number,
    reached: () => number,
  ) {
    const index = plan.markets.indexOf(market);
    this.plan = plan;
    this.index = index;
    this.latent = latent;
    this.event = event;
    this.reached = reached;
    this.ticker = market.suffix === "" ? plan.event_ticker : `${plan.event_ticker}-${market.suffix}`;
    this.market_id = toUuid(mixHex(seed, HASH_KIND.market, plan.number * 64 + index + 1e9, 16));
    this.no_sub_title = market.yes_sub_title;
    this.rules_primary = `If ${market.title.replace(/\?$/u, "")}, then the market resolves to Yes.`;
    this.price_level_structure = plan.structure;
    this.price_ranges = PRICE_RANGES[plan.structure];
    this.created_ms = plan.created;
    this.open_ms = plan.open;
    this.close_ms = plan.close;
    this.updated_ms = plan.created;
    this.settlement_timer_seconds = Math.round(plan.settle_after / 1000);
  }

  get expected_expiration_ms(): number {
    return this.plan.close + this.plan.determine_after;
  }
  get latest_expiration_ms(): number {
    return this.plan.close + 7 * DAY;
  }
  get status(): KalshiStatus {
    if (this.settled_ms !== null) return "finalized";
    if (this.dispute !== "") return this.dispute;
    if (this.determined_ms !== null) return "determined";
    if (this.reached() >= this.close_ms) return "closed";
    if (this.reached() < this.open_ms) return "initialized";
    return this.paused ? "inactive" : "active";
  }
  get previous_price_e4(): number | null {
    return this.list[firstIndex(this.list, this.reached() - DAY, (trade) => trade.ms) - 1]?.yes_price_e4 ?? null;
  }
  get previous_yes_bid_e4(): number | null {
    return this.dayAgo()?.yes_bid_e4 ?? null;
  }
  get previous_yes_ask_e4(): number | null {
    return this.dayAgo()?.yes_ask_e4 ?? null;
  }

  volume_24h_cc(): number {
    const old = firstIndex(this.list, this.reached() - DAY, (trade) => trade.ms);
    return this.volume_cc - (this.volumes[old - 1] ?? 0);
  }

  book(): KalshiBook {
    return { yes: this.yes.levels.map((l) => ({ ...l })), no: this.no.levels.map((l) => ({ ...l })) };
  }

  trades(): readonly KalshiTrade[] {
    return this.list;
  }

  quotes(): readonly KalshiQuote[] {
    return this.quoteList;
  }

  add(trade: KalshiTrade, opened: number): void {
    this.list.push(trade);
    this.volume_cc += trade.count_cc;
    this.volumes.push(this.volume_cc);
    this.last_price_e4 = trade.yes_price_e4;
    this.open_interest_cc = Math.max(0, this.open_interest_cc + opened);
  }

  noteQuote(ms: number): void {
    const noBid = this.no.best()?.price_e4;
    const quote = {
      ms,
      yes_bid_e4: this.yes.best()?.price_e4 ?? null,
      yes_ask_e4: noBid === undefined ? null : 10_000 - noBid,
    };
    const last = this.quoteList[this.quoteList.length - 1];
    if (last !== undefined && Math.floor(last.ms / 60_000) === Math.floor(ms / 60_000)) this.quoteList.pop();
    this.quoteList.push(quote);
  }

  /** Discards trades and quotes, for worlds that are written to files and not queried. */
  forget(): void {
    this.list.length = 0;
    this.volumes.length = 0;
    this.quoteList.length = 0;
  }

  private dayAgo(): KalshiQuote | undefined {
    return this.quoteList[firstIndex(this.quoteList, this.reached() - DAY, (quote) => quote.ms) - 1];
  }
}

/** 16 bytes of 0x-hex as a version 4 UUID. */
export function toUuid(hex: string): string {
  const h = hex.slice(2);
  const variant = "89ab"[Number.parseInt(h[16] ?? "0", 16) & 3];
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-${variant}${h.slice(17, 20)}-${h.slice(20, 32)}`;
}
