import { slicesOf } from "../../../definition/slices.ts";

/** Markets per command. */
const PER_COMMAND = 100;

type Requested = { readonly tickers: readonly string[]; readonly adds: boolean; readonly isAgain: boolean };

/**
 * The unanswered commands of one socket, and the markets in its subscription. Snapshots are requested only for these
 * markets: for another one a snapshot would come without the changes after it.
 */
export class BookRequests {
  #nextId = 1;
  readonly #pending = new Map<number, Requested>();
  readonly #subscribed = new Set<string>();
  #sid: number | undefined;

  isOf(sid: number | undefined): boolean {
    return sid !== undefined && sid === this.#sid;
  }

  add(tickers: readonly string[], isAgain = false): readonly string[] {
    const requested = { adds: true, isAgain };
    if (this.#sid !== undefined) return this.#update("add_markets", tickers, requested);
    // Subscribing again adds markets, too. The price scale is always sent.
    const params = { channels: ["orderbook_delta"], use_yes_price: true };
    return this.#command("subscribe", params, tickers, requested);
  }

  remove(tickers: readonly string[]): readonly string[] {
    for (const ticker of tickers) this.#subscribed.delete(ticker);
    return this.#update("delete_markets", tickers);
  }

  /** Requests a snapshot of each. Adding an already subscribed market yields none: it is requested once added. */
  again(tickers: readonly string[]): readonly string[] {
    // For nearly every frame nothing is due.
    if (tickers.length === 0) return [];
    const others = tickers.filter((ticker) => !this.#subscribed.has(ticker));
    const there = tickers.filter((ticker) => this.#subscribed.has(ticker));
    return [...this.#update("get_snapshot", there), ...this.add(others, true)];
  }

  /** The venue accepted the command: returns the next commands to send, for markets still `lacking` a book. */
  accepted(id: number | undefined, lacking: (ticker: string) => boolean): readonly string[] {
    const requested = this.#take(id);
    if (requested?.adds !== true) return [];
    for (const ticker of requested.tickers) this.#subscribed.add(ticker);
    return requested.isAgain ? this.#update("get_snapshot", requested.tickers.filter(lacking)) : [];
  }

  /** The markets of the command that the venue refused. */
  refused(id: number | undefined): readonly string[] {
    const { tickers = [], adds = false } = this.#take(id) ?? {};
    if (adds) for (const ticker of tickers) this.#subscribed.delete(ticker);
    return tickers;
  }

  /** True if the subscription is a new one. */
  opened(sid: number): boolean {
    if (sid === this.#sid) return false;
    this.#subscribed.clear();
    this.#sid = sid;
    return true;
  }

  /** The subscription is over. */
  ended(): void {
    this.#subscribed.clear();
    this.#sid = undefined;
  }

  /** A snapshot arrived: one without a command id is the first of a newly added market. */
  came(ticker: string, id: number | undefined): void {
    if (id === undefined) this.#subscribed.add(ticker);
    else this.#pending.delete(id);
  }

  #take(id: number | undefined): Requested | undefined {
    const requested = id === undefined ? undefined : this.#pending.get(id);
    if (id !== undefined) this.#pending.delete(id);
    return requested;
  }

  /** Commands to the subscription; empty without one. */
  #update(
    action: "add_markets" | "delete_markets" | "get_snapshot",
    tickers: readonly string[],
    requested: Omit<Requested, "tickers"> = { adds: false, isAgain: false },
  ): readonly string[] {
    if (this.#sid === undefined) return [];
    return this.#command("update_subscription", { sids: [this.#sid], action }, tickers, requested);
  }

  /** The frames of a command, with ids counting from 1. */
  #command(
    cmd: string,
    params: Readonly<Record<string, unknown>>,
    tickers: readonly string[],
    requested: Omit<Requested, "tickers">,
  ): readonly string[] {
    return slicesOf(tickers, PER_COMMAND).map((some) => {
      const id = this.#nextId;
      this.#nextId += 1;
      this.#pending.set(id, { ...requested, tickers: some });
      return JSON.stringify({ id, cmd, params: { ...params, market_tickers: some } });
    });
  }
}
