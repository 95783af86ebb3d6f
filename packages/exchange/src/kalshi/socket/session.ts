import type { KalshiMarket } from "../../world/kalshi-contract.ts";
import type { Happening } from "../../world/contract.ts";
import type { KalshiContext } from "../context.ts";
import { channelOf } from "./channel-of.ts";
import { CommandError } from "./command-error.ts";
import { readCommand, readParams, type Command, type CommandParams } from "./read-command.ts";
import { wants, type Channel, type Subscription } from "./subscription.ts";
import { toDelta, toSnapshot } from "./to-book-message.ts";
import { toEventMessage, toLifecycleMessage } from "./to-lifecycle-message.ts";
import { toTickerMessage } from "./to-ticker-message.ts";
import { toTradeMessage } from "./to-trade-message.ts";

/** What a session needs of a socket. */
interface Outlet {
  readonly bufferedAmount: number;
  send(text: string): void;
}

/** Bytes that may wait in a socket before its subscriptions are cut with error 25. */
const BUFFER_BYTES = 16 * 1024 * 1024;

/** One connection: its commands, its subscriptions, and what they hear of the world. */
export class KalshiSession {
  readonly #context: KalshiContext;
  readonly #outlet: Outlet;
  readonly #subscriptions = new Map<number, Subscription>();
  #nextSid = 1;

  constructor(context: KalshiContext, outlet: Outlet) {
    this.#context = context;
    this.#outlet = outlet;
  }

  /** Takes one text frame and answers it. */
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

  /** Passes on what happened; tickers come by `tick`, once for all changes of a moment. */
  hear(happening: Happening): void {
    if (happening.kind === "kalshi_book") {
      this.#each("orderbook_delta", happening.market, (to) =>
        this.#send(to, "orderbook_delta", toDelta(happening, to.use_yes_price), true),
      );
    } else if (happening.kind === "kalshi_trade") {
      this.#each("trade", happening.market, (to) => this.#send(to, "trade", toTradeMessage(happening), true));
    } else if (happening.kind === "kalshi_lifecycle" && !happening.market.ticker.startsWith("KXMVE")) {
      const { market, event_type } = happening;
      const first = event_type === "created" && market.event.markets[0] === market;
      this.#each("market_lifecycle_v2", market, (to) => {
        if (first) this.#send(to, "event_lifecycle", toEventMessage(market.event), false);
        this.#send(to, "market_lifecycle_v2", toLifecycleMessage(happening), false);
      });
    }
  }

  /** Quotes or figures of a market changed at `ms`. */
  tick(market: KalshiMarket, ms: number): void {
    this.#each("ticker", market, (to) => this.#send(to, "ticker", toTickerMessage(market, ms), false));
  }

  #run(command: Command): void {
    if (command.cmd === "list_subscriptions") return this.#list(command);
    if (command.cmd === "subscribe") return this.#subscribe(command, readParams(command));
    if (command.cmd === "unsubscribe") return this.#unsubscribe(command, readParams(command));
    if (command.cmd === "update_subscription") return this.#update(command, readParams(command));
    throw new CommandError(5);
  }

  #subscribe(command: Command, params: CommandParams): void {
    if (!params.channels || params.channels.length === 0) throw new CommandError(3);
    for (const name of params.channels) {
      try {
        this.#open(command, params, String(name), channelOf(name));
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        this.#refuse(command, error);
      }
    }
  }

  #open(command: Command, params: CommandParams, name: string, channel: Channel | undefined): void {
    if (!channel) throw new CommandError(8);
    const tickers = this.#tickersOf(params, channel);
    if (channel === "orderbook_delta" && !tickers) throw new CommandError(14);
    // Subscribing again is not refused (since 2025-09): it adds the markets to what is there.
    const known = [...this.#subscriptions.values()].find((item) => item.name === name);
    const subscription = known ?? this.#make(name, channel, tickers, params);
    const added = known ? addTo(known, tickers) : [...(tickers ?? [])];
    this.#write({ id: command.id, type: "subscribed", msg: { channel: name, sid: subscription.sid } });
    this.#first(subscription, added, params.send_initial_snapshot === true);
  }

  #make(name: string, channel: Channel, tickers: string[] | null, params: CommandParams): Subscription {
    const subscription: Subscription = {
      sid: this.#nextSid,
      name,
      channel,
      seq: 0,
      tickers: channel === "market_lifecycle_v2" || !tickers ? null : new Set(tickers),
      use_yes_price: params.use_yes_price === true,
      skip_ticker_ack: params.skip_ticker_ack === true,
    };
    this.#nextSid += 1;
    this.#subscriptions.set(subscription.sid, subscription);
    return subscription;
  }

  /** What a subscription gets for markets that are new to it. */
  #first(subscription: Subscription, tickers: string[], wanted: boolean): void {
    for (const ticker of tickers) {
      const market = this.#context.world.kalshi.market(ticker);
      if (!market) continue;
      if (subscription.channel === "orderbook_delta") this.#snapshot(subscription, market);
      if (subscription.channel === "ticker" && wanted) {
        this.#send(subscription, "ticker", toTickerMessage(market, this.#context.world.reached()), false);
      }
    }
  }

  #snapshot(subscription: Subscription, market: KalshiMarket, id?: number): void {
    this.#send(subscription, "orderbook_snapshot", toSnapshot(market, subscription.use_yes_price), true, id);
  }

  #unsubscribe(command: Command, params: CommandParams): void {
    if (!params.sids || params.sids.length === 0) throw new CommandError(4);
    for (const sid of params.sids) {
      const subscription = this.#find(sid);
      subscription.seq += 1;
      this.#subscriptions.delete(sid);
      this.#write({ id: command.id, sid, seq: subscription.seq, type: "unsubscribed" });
    }
  }

  #update(command: Command, params: CommandParams): void {
    const sids = params.sids ?? (params.sid === undefined ? [] : [params.sid]);
    const sid = sids[0];
    if (sids.length !== 1 || sid === undefined) throw new CommandError(12);
    const subscription = this.#find(sid);
    if (params.action === undefined) throw new CommandError(15);
    if (!actionsOf(subscription.channel).includes(params.action)) throw new CommandError(13);
    const tickers = this.#tickersOf(params, subscription.channel);
    if (!tickers) throw new CommandError(14);
    if (params.action === "get_snapshot") return this.#resend(subscription, tickers, command.id);
    const added = params.action === "add_markets" ? addTo(subscription, tickers) : [];
    if (params.action === "delete_markets") for (const ticker of tickers) subscription.tickers?.delete(ticker);
    subscription.seq += 1;
    this.#write({ id: command.id, sid, seq: subscription.seq, type: "ok", ...ackOf(subscription) });
    this.#first(subscription, added, params.send_initial_snapshot === true);
  }

  #resend(subscription: Subscription, tickers: string[], id: number | undefined): void {
    for (const ticker of tickers) {
      const market = this.#context.world.kalshi.market(ticker);
      if (market) this.#snapshot(subscription, market, id);
    }
  }

  #list(command: Command): void {
    const msg = [...this.#subscriptions.values()].map(({ name, sid }) => ({ channel: name, sid }));
    this.#write({ id: command.id, type: "ok", msg });
  }

  #find(sid: number): Subscription {
    const subscription = this.#subscriptions.get(sid);
    if (!subscription) throw new CommandError(7);
    return subscription;
  }

  /** Null when the command names no market. Only the ticker channel knows market ids. */
  #tickersOf(params: CommandParams, channel: Channel): string[] | null {
    const ids = params.market_ids ?? (params.market_id === undefined ? undefined : [params.market_id]);
    if (ids) {
      if (channel !== "ticker") throw new CommandError(channel === "orderbook_delta" ? 14 : 11);
      const wanted = new Set(ids);
      const markets = this.#context.world.kalshi.markets.filter((market) => wanted.has(market.market_id));
      return markets.map((market) => market.ticker);
    }
    return params.market_tickers ?? (params.market_ticker === undefined ? null : [params.market_ticker]);
  }

  #each(channel: Channel, market: KalshiMarket, send: (to: Subscription) => void): void {
    for (const subscription of this.#subscriptions.values()) {
      if (subscription.channel === channel && wants(subscription, market)) send(subscription);
    }
  }

  #send(to: Subscription, type: string, msg: object, sequenced: boolean, id?: number): void {
    if (this.#outlet.bufferedAmount > BUFFER_BYTES) {
      this.#subscriptions.delete(to.sid);
      const error = new CommandError(25);
      this.#write({ type: "error", sid: to.sid, msg: { code: error.code, msg: error.message } });
      return;
    }
    if (sequenced) to.seq += 1;
    this.#write({
      ...(id !== undefined && { id }),
      type,
      sid: to.sid,
      ...(sequenced && { seq: to.seq }),
      msg,
      sending_ts_ms: this.#context.world.now(),
    });
  }

  #refuse(command: Command, error: CommandError): void {
    this.#write({ id: command.id, type: "error", msg: { code: error.code, msg: error.message } });
  }

  #write(frame: object): void {
    this.#outlet.send(JSON.stringify(frame));
  }
}

function addTo(subscription: Subscription, tickers: string[] | null): string[] {
  const added = (tickers ?? []).filter((ticker) => subscription.tickers?.has(ticker) === false);
  for (const ticker of added) subscription.tickers?.add(ticker);
  return added;
}

function actionsOf(channel: Channel): readonly string[] {
  if (channel === "orderbook_delta") return ["add_markets", "delete_markets", "get_snapshot"];
  return channel === "market_lifecycle_v2" ? [] : ["add_markets", "delete_markets"];
}

function ackOf(subscription: Subscription) {
  return subscription.skip_ticker_ack ? {} : { msg: { market_tickers: [...(subscription.tickers ?? [])] } };
}
