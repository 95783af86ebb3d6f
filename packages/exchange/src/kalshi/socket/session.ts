import type { Happening } from "../../world/contract.ts";
import type { KalshiContext } from "../tiers.ts";
import { CommandError, readCommand, readParams, type Command, type CommandParams } from "./read-command.ts";
import type { KalshiBookHappening, KalshiMarket } from "../../world/kalshi-contract.ts";
import { toCount, toDollars } from "../reply/texts.ts";
import { toLevels } from "../reply/market-data.ts";

/** The part of a socket that a session uses. */
interface Outlet {
  readonly bufferedAmount: number;
  send(text: string): void;
}

/** The only supported channel. */
const CHANNEL = "orderbook_delta";
const ACTIONS: ReadonlySet<string> = new Set(["add_markets", "delete_markets", "get_snapshot"]);
/** Bytes that may be buffered for a socket before its subscriptions are ended with error 25. */
const BUFFER_BYTES = 16 * 1024 * 1024;

/** The subscription of a socket. `seq` counts its frames, not those of a market. */
interface Subscription {
  sid: number;
  seq: number;
  tickers: Set<string>;
  use_yes_price: boolean;
}

/** One connection: its commands, its subscription, and the world updates sent to it. */
export class KalshiSession {
  readonly #context: KalshiContext;
  readonly #outlet: Outlet;
  #subscription: Subscription | undefined;
  #nextSid = 1;

  constructor(context: KalshiContext, outlet: Outlet) {
    this.#context = context;
    this.#outlet = outlet;
  }

  /** Handles one text frame and replies to it. */
  receive(text: string): void {
    let command: Command = {};
    try {
      command = readCommand(text);
      this.#run(command);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      this.#refuse(command, error);
    }
  }

  /** Forwards a happening if subscribed. */
  forward(happening: Happening): void {
    const to = this.#subscription;
    if (happening.kind !== "kalshi_book" || to?.tickers.has(happening.market.ticker) !== true) return;
    this.#send(to, CHANNEL, toDelta(happening, to.use_yes_price));
  }

  #run(command: Command): void {
    if (command.cmd === "subscribe") return this.#subscribe(command, readParams(command));
    if (command.cmd === "update_subscription") return this.#update(command, readParams(command));
    throw new CommandError(5);
  }

  #subscribe(command: Command, params: CommandParams): void {
    if (!params.channels || params.channels.length === 0) throw new CommandError(3);
    for (const name of params.channels) {
      try {
        if (name !== CHANNEL) throw new CommandError(8);
        this.#open(command, params);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        this.#refuse(command, error);
      }
    }
  }

  /** Subscribing again is accepted (since 2025-09): it adds the markets to the subscription. */
  #open(command: Command, params: CommandParams): void {
    const tickers = tickersOf(params);
    this.#subscription ??= this.#make(params);
    const { sid } = this.#subscription;
    this.#write({ id: command.id, type: "subscribed", msg: { channel: CHANNEL, sid } });
    this.#snapshots(this.#subscription, addTo(this.#subscription, tickers));
  }

  #make({ use_yes_price = false }: CommandParams): Subscription {
    const subscription = { sid: this.#nextSid, seq: 0, tickers: new Set<string>(), use_yes_price };
    this.#nextSid += 1;
    return subscription;
  }

  #update(command: Command, params: CommandParams): void {
    const [sid, ...others] = params.sids ?? [];
    if (sid === undefined || others.length > 0) throw new CommandError(12);
    const subscription = this.#subscription;
    if (subscription?.sid !== sid) throw new CommandError(7);
    if (params.action === undefined) throw new CommandError(15);
    if (!ACTIONS.has(params.action)) throw new CommandError(13);
    const tickers = tickersOf(params);
    if (params.action === "get_snapshot") return this.#snapshots(subscription, tickers, command.id);
    const added = params.action === "add_markets" ? addTo(subscription, tickers) : [];
    if (params.action === "delete_markets") for (const ticker of tickers) subscription.tickers.delete(ticker);
    subscription.seq += 1;
    const msg = { market_tickers: [...subscription.tickers] };
    this.#write({ id: command.id, sid, seq: subscription.seq, type: "ok", msg });
    this.#snapshots(subscription, added);
  }

  #snapshots(to: Subscription, tickers: readonly string[], id?: number): void {
    for (const ticker of tickers) {
      const market = this.#context.world.kalshi.market(ticker);
      if (market) this.#send(to, "orderbook_snapshot", toSnapshot(market, to.use_yes_price), id);
    }
  }

  #send(to: Subscription, type: string, msg: object, id?: number): void {
    if (this.#outlet.bufferedAmount > BUFFER_BYTES) {
      this.#subscription = undefined;
      const error = new CommandError(25);
      this.#write({ type: "error", sid: to.sid, msg: { code: error.code, msg: error.message } });
      return;
    }
    to.seq += 1;
    const sending_ts_ms = this.#context.world.now();
    this.#write({ ...(id !== undefined && { id }), type, sid: to.sid, seq: to.seq, msg, sending_ts_ms });
  }

  #refuse(command: Command, error: CommandError): void {
    this.#write({ id: command.id, type: "error", msg: { code: error.code, msg: error.message } });
  }

  #write(frame: object): void {
    this.#outlet.send(JSON.stringify(frame));
  }
}

/** Returns the tickers that were not subscribed before. */
function addTo({ tickers }: Subscription, wanted: readonly string[]): string[] {
  const added = wanted.filter((ticker) => !tickers.has(ticker));
  for (const ticker of added) tickers.add(ticker);
  return added;
}

function tickersOf({ market_tickers }: CommandParams): string[] {
  if (market_tickers === undefined) throw new CommandError(14);
  return market_tickers;
}

/** Body of `orderbook_snapshot`; the key of an empty side is absent. `yesPrice` converts the NO side to YES prices. */
function toSnapshot(market: KalshiMarket, yesPrice: boolean) {
  const book = market.book();
  const no = yesPrice ? book.no.map((level) => ({ ...level, price_e4: 10_000 - level.price_e4 })) : book.no;
  return {
    market_ticker: market.ticker,
    market_id: market.market_id,
    ...(book.yes.length > 0 && { yes_dollars_fp: toLevels(book.yes) }),
    ...(no.length > 0 && { no_dollars_fp: toLevels(no) }),
  };
}

/**
 * Body of `orderbook_delta`: a signed change. The price drops its last digit if that is 0 ("0.960"), as on the real
 * exchange.
 */
function toDelta(change: KalshiBookHappening, yesPrice: boolean) {
  const price = yesPrice && change.side === "no" ? 10_000 - change.price_e4 : change.price_e4;
  return {
    market_ticker: change.market.ticker,
    market_id: change.market.market_id,
    price_dollars: toDollars(price).replace(/0$/, ""),
    delta_fp: toCount(change.delta_cc),
    side: change.side,
    ts: new Date(change.ms).toISOString(),
    ts_ms: change.ms,
  };
}
