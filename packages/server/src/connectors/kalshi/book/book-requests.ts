const PER_COMMAND = 100;

type Command = { readonly id: number; readonly tickers: readonly string[]; readonly frame: string };

/** Writes the commands of one socket, numbered from 1, a hundred markets a frame. */
class BookCommands {
  #nextId = 1;

  /** Before the subscription's id is known; subscribing again adds markets. The price scale is always said. */
  subscribe(tickers: readonly string[]): Command[] {
    return this.#each(tickers, (market_tickers) => ({
      cmd: "subscribe",
      params: { channels: ["orderbook_delta"], market_tickers, use_yes_price: true },
    }));
  }

  update(
    sid: number,
    action: "add_markets" | "delete_markets" | "get_snapshot",
    tickers: readonly string[],
  ): Command[] {
    return this.#each(tickers, (market_tickers) => ({
      cmd: "update_subscription",
      params: { sids: [sid], market_tickers, action },
    }));
  }

  #each(tickers: readonly string[], toCommand: (chunk: readonly string[]) => object): Command[] {
    const commands: Command[] = [];
    for (let at = 0; at < tickers.length; at += PER_COMMAND) {
      const chunk = tickers.slice(at, at + PER_COMMAND);
      const id = this.#nextId;
      this.#nextId += 1;
      commands.push({ id, tickers: chunk, frame: JSON.stringify({ id, ...toCommand(chunk) }) });
    }
    return commands;
  }
}

type Asked = { readonly tickers: readonly string[]; readonly adds: boolean; readonly isAgain: boolean };

/**
 * The commands of one socket that are not answered yet, and which markets its subscription holds. A snapshot is asked for
 * of those alone: of another one it would come without the changes after it.
 */
export class BookRequests {
  readonly #commands = new BookCommands();
  readonly #pending = new Map<number, Asked>();
  readonly #subscribed = new Set<string>();
  #sid: number | undefined;

  isOf(sid: number | undefined): boolean {
    return sid !== undefined && sid === this.#sid;
  }

  add(tickers: readonly string[], isAgain = false): readonly string[] {
    const sid = this.#sid;
    const commands =
      sid === undefined ? this.#commands.subscribe(tickers) : this.#commands.update(sid, "add_markets", tickers);
    return this.#sent(commands, true, isAgain);
  }

  remove(tickers: readonly string[]): readonly string[] {
    for (const ticker of tickers) this.#subscribed.delete(ticker);
    if (this.#sid === undefined) return [];
    return this.#sent(this.#commands.update(this.#sid, "delete_markets", tickers), false);
  }

  /** What brings a snapshot of each. Adding a market that is there already brings none: it is asked for once added. */
  again(tickers: readonly string[]): readonly string[] {
    // Nothing is due with nearly every frame.
    if (tickers.length === 0) return [];
    const others = tickers.filter((ticker) => !this.#subscribed.has(ticker));
    return [...this.#snapshots(tickers.filter((ticker) => this.#subscribed.has(ticker))), ...this.add(others, true)];
  }

  /** The venue did as it was told: gives what is to be sent next, of those that are still `lacking`. */
  accepted(id: number | undefined, lacking: (ticker: string) => boolean): readonly string[] {
    const asked = this.#take(id);
    if (asked?.adds !== true) return [];
    for (const ticker of asked.tickers) this.#subscribed.add(ticker);
    return asked.isAgain ? this.#snapshots(asked.tickers.filter(lacking)) : [];
  }

  /** The markets of the command that the venue refused. */
  refused(id: number | undefined): readonly string[] {
    const { tickers = [], adds = false } = this.#take(id) ?? {};
    if (adds) for (const ticker of tickers) this.#subscribed.delete(ticker);
    return tickers;
  }

  /** True when the subscription is another one than before. */
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

  /** A snapshot of it came: one without a command's id is the first of a market that was added. */
  came(ticker: string, id: number | undefined): void {
    if (id === undefined) this.#subscribed.add(ticker);
    else this.#pending.delete(id);
  }

  #snapshots(tickers: readonly string[]): readonly string[] {
    return this.#sid === undefined ? [] : this.#sent(this.#commands.update(this.#sid, "get_snapshot", tickers), false);
  }

  #take(id: number | undefined): Asked | undefined {
    const asked = id === undefined ? undefined : this.#pending.get(id);
    if (id !== undefined) this.#pending.delete(id);
    return asked;
  }

  #sent(commands: readonly Command[], adds: boolean, isAgain = false): readonly string[] {
    for (const { id, tickers } of commands) this.#pending.set(id, { tickers, adds, isAgain });
    return commands.map(({ frame }) => frame);
  }
}
