import type { CoreMarket } from "../world/core/core-market.ts";
import { HASH_KIND, mixHash, mixHex } from "../world/core/mix-hash.ts";
import { type EventNames, nameEvent } from "../world/polymarket/name-event.ts";
import type { Rng } from "../world/core/rng.ts";
import type { LineWriter } from "./line-writer.ts";

interface Live {
  conditionId: Buffer;
  tokens: Buffer;
  names: EventNames;
  created: number;
  closed: number | null;
  resolved: number | null;
  disputed: boolean;
  volume: number;
}

/** Ids, names and figures of the markets that are not done; each becomes a line when it is. */
export class MarketRows {
  count = 0;
  private readonly seed: number;
  private readonly shard: number;
  private readonly rng: Rng;
  private readonly lines: LineWriter;
  private readonly live: Map<number, Live> = new Map();
  private readonly cores: Map<number, CoreMarket> = new Map();
  private names: EventNames | null = null;

  constructor(seed: number, shard: number, rng: Rng, lines: LineWriter) {
    this.seed = seed;
    this.shard = shard;
    this.rng = rng;
    this.lines = lines;
  }

  ids(market: CoreMarket): { conditionId: Buffer; tokens: Buffer } {
    const live = this.live.get(market.number);
    if (live === undefined) throw new Error(`Market ${market.number} is done or was never made`);
    return live;
  }

  created(market: CoreMarket, at: number): void {
    if (market.index === 0)
      this.names = nameEvent(market.plan, this.rng.fork(`names ${this.shard} ${market.plan.number}`));
    if (this.names === null) throw new Error("A market without an event");
    const conditionId = Buffer.alloc(32);
    const tokens = Buffer.alloc(64);
    mixHash(conditionId, 0, this.seed, HASH_KIND.market, market.number);
    mixHash(tokens, 0, this.seed, HASH_KIND.question, market.number * 2);
    mixHash(tokens, 32, this.seed, HASH_KIND.question, market.number * 2 + 1);
    const figures = { created: at, closed: null, resolved: null, disputed: false, volume: 0 };
    this.live.set(market.number, { conditionId, tokens, names: this.names, ...figures });
    this.cores.set(market.number, market);
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

  disputed(market: CoreMarket): void {
    const live = this.live.get(market.number);
    if (live !== undefined) live.disputed = true;
  }

  resolved(market: CoreMarket, at: number): void {
    const live = this.live.get(market.number);
    if (live !== undefined) live.resolved = at;
  }

  done(market: CoreMarket): void {
    this.write(market);
    this.live.delete(market.number);
    this.cores.delete(market.number);
  }

  /** Markets that are still going. */
  open(): Iterable<CoreMarket> {
    return this.cores.values();
  }

  finish(): void {
    for (const market of this.cores.values()) this.write(market);
  }

  private write(market: CoreMarket): void {
    const live = this.live.get(market.number);
    const names = live?.names.markets[market.index];
    if (live === undefined || names === undefined) return;
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
      question_id: mixHex(this.seed, HASH_KIND.trade, market.number),
      question_index: market.index,
      questions: plan.questions,
      category: plan.category,
      tags: live.names.tags,
      neg_risk: plan.kind === "neg_risk",
      kind: plan.kind,
      tick_e4: market.tick,
      fee_rate_e4: plan.fee_rate,
      created_ms: live.created,
      start_ms: plan.start,
      end_ms: plan.end,
      closed_ms: live.closed,
      resolved_ms: live.resolved,
      was_disputed: live.disputed,
      payout_a: payout?.[0] ?? null,
      payout_b: payout?.[1] ?? null,
      volume_micro: live.volume,
      last_price_e4: market.last,
      probability_a: market.payout === null ? market.latent.p(market.index) : null,
    });
  }
}
