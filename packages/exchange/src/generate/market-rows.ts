import type { CoreMarket } from "../world/core/core-market.ts";
import { HASH_KIND, mixHash, mixHex } from "../world/core/mix-hash.ts";
import { type EventNames, nameEvent } from "../world/polymarket/name-event.ts";
import type { Rng } from "../world/core/rng.ts";
import type { LineWriter } from "./shard-files.ts";

/** Position on the chain. */
export interface ChainPlace {
  block: number;
  block_ms: number;
  log_index: number;
  tx: `0x${string}`;
}

/** Raw ids of a market: its condition, both tokens in order, and the neg-risk market it belongs to (or zeros). */
export interface MarketIds {
  conditionId: Buffer;
  tokens: Buffer;
  negRiskMarketId: Buffer;
}

interface Live extends MarketIds {
  core: CoreMarket;
  names: EventNames;
  created: number;
  createdAt: Pick<ChainPlace, "block" | "block_ms">;
  closed: number | null;
  resolved: number | null;
  resolvedAt: ChainPlace | null;
  volume: number;
}

/** Ids, names and figures of unfinished markets; each is written as a line when it finishes. */
export class MarketRows {
  count = 0;
  private readonly seed: number;
  private readonly shard: number;
  private readonly rng: Rng;
  private readonly lines: LineWriter;
  private readonly live: Map<number, Live> = new Map();
  private names: EventNames | null = null;

  constructor(seed: number, shard: number, rng: Rng, lines: LineWriter) {
    this.seed = seed;
    this.shard = shard;
    this.rng = rng;
    this.lines = lines;
  }

  ids(market: CoreMarket): MarketIds {
    const live = this.live.get(market.number);
    if (live === undefined) throw new Error(`Market ${market.number} is done or was never made`);
    return live;
  }

  created(market: CoreMarket, at: number, createdAt: Live["createdAt"]): void {
    if (market.index === 0)
      this.names = nameEvent(market.plan, this.rng.fork(`names ${this.shard} ${market.plan.number}`));
    if (this.names === null) throw new Error("A market without an event");
    const conditionId = Buffer.alloc(32);
    const tokens = Buffer.alloc(64);
    mixHash(conditionId, 0, this.seed, HASH_KIND.market, market.number);
    mixHash(tokens, 0, this.seed, HASH_KIND.question, market.number * 2);
    mixHash(tokens, 32, this.seed, HASH_KIND.question, market.number * 2 + 1);
    const ids = { conditionId, tokens, negRiskMarketId: this.negRiskMarketId(market) };
    const timestamps = { created: at, createdAt, closed: null, resolved: null, resolvedAt: null };
    this.live.set(market.number, { ...ids, ...timestamps, core: market, names: this.names, volume: 0 });
    this.count += 1;
  }

  traded(market: CoreMarket, usd: number): void {
    const live = this.live.get(market.number);
    if (live !== undefined) live.volume += usd;
  }

  closed(market: CoreMarket, at: number): void {
    const live = this.live.get(market.number);
    if (live !== undefined) live.closed = at;
  }

  resolved(market: CoreMarket, at: number, resolvedAt: ChainPlace): void {
    const live = this.live.get(market.number);
    if (live !== undefined) Object.assign(live, { resolved: at, resolvedAt });
  }

  done(market: CoreMarket): void {
    const live = this.live.get(market.number);
    if (live !== undefined) this.write(live);
    this.live.delete(market.number);
  }

  finish(): void {
    for (const live of this.live.values()) this.write(live);
  }

  /** Id in the NegRiskAdapter's format: the last byte is 0, where a question's id has its index. */
  private negRiskMarketId({ plan }: CoreMarket): Buffer {
    const id = Buffer.alloc(32);
    if (plan.kind === "neg_risk") {
      mixHash(id, 0, this.seed, HASH_KIND.neg_risk_market, plan.number * 2 + this.shard);
      id[31] = 0;
    }
    return id;
  }

  private questionId(market: CoreMarket, negRiskMarketId: Buffer): string {
    if (market.plan.kind !== "neg_risk") return mixHex(this.seed, HASH_KIND.trade, market.number);
    const id = Buffer.from(negRiskMarketId);
    id[31] = market.index;
    return `0x${id.toString("hex")}`;
  }

  private write(live: Live): void {
    const { core: market } = live;
    const names = live.names.markets[market.index];
    if (names === undefined) return;
    const { plan, payout } = market;
    const token = (outcome: 0 | 1): string =>
      BigInt(`0x${live.tokens.subarray(outcome * 32, outcome * 32 + 32).toString("hex")}`).toString();
    this.lines.write({
      condition_id: `0x${live.conditionId.toString("hex")}`,
      market_id: String(500_000 + market.number),
      question: names.question,
      slug: `${names.slug}-${this.shard}`,
      outcome_a: names.outcomes[0],
      outcome_b: names.outcomes[1],
      token_id_a: token(0),
      token_id_b: token(1),
      event_id: String(30_000 + plan.number * 2 + this.shard),
      event_slug: `${live.names.slug}-${this.shard}`,
      event_title: live.names.title,
      question_id: this.questionId(market, live.negRiskMarketId),
      question_index: market.index,
      category: plan.category,
      tags: live.names.tags,
      neg_risk: plan.kind === "neg_risk",
      neg_risk_market_id: plan.kind === "neg_risk" ? `0x${live.negRiskMarketId.toString("hex")}` : "",
      tick_e4: market.tick,
      fee_rate_e4: plan.fee_rate,
      created_ms: live.created,
      created_block: live.createdAt.block,
      created_block_ms: live.createdAt.block_ms,
      start_ms: plan.start,
      end_ms: plan.end,
      closed_ms: live.closed,
      resolved_ms: live.resolved,
      resolved_block: live.resolvedAt?.block ?? null,
      resolved_block_ms: live.resolvedAt?.block_ms ?? null,
      resolved_log_index: live.resolvedAt?.log_index ?? null,
      resolved_tx: live.resolvedAt?.tx ?? "",
      payout_a: payout?.[0] ?? null,
      payout_b: payout?.[1] ?? null,
      volume_micro: live.volume,
      last_price_e4: market.last,
    });
  }
}
