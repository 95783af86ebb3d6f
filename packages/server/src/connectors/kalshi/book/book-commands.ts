const PER_COMMAND = 100;

export type Command = { readonly id: number; readonly tickers: readonly string[]; readonly frame: string };

/** Writes the commands of one socket, numbered from 1, a hundred markets a frame. */
export class BookCommands {
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
