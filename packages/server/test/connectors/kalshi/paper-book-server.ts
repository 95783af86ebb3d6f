type Totals = Map<number, number>;
export type Truth = { readonly yes: Totals; readonly no: Totals };

const dollars = (tenths: number) => (tenths / 1000).toFixed(3);

const levels = (totals: Totals) => [...totals].map(([price, size]) => [`${dollars(price)}0`, (size / 100).toFixed(2)]);

/**
 * An independent book server: prices in tenths of a cent and sizes in hundredths of a contract, as integers, sent as
 * Kalshi's websocket sends them with use_yes_price. `truth` contains the books as they were at each sequence number.
 */
export class PaperBookServer {
  readonly wire: { seq: number; frame: string }[] = [];
  readonly truth = new Map<number, ReadonlyMap<string, Truth>>();
  readonly #books = new Map<string, Truth>();
  #seq = 0;
  ms = 1_790_000_000_000;

  constructor(tickers: readonly string[]) {
    for (const ticker of tickers) this.#books.set(ticker, { yes: new Map(), no: new Map() });
  }

  receive(text: string): void {
    const { id, cmd, params } = JSON.parse(text) as {
      id: number;
      cmd: string;
      params: { market_tickers: string[]; action?: string; use_yes_price?: boolean };
    };
    if (cmd === "subscribe") {
      if (params.use_yes_price !== true) throw new Error("the price scale was not said");
      this.wire.push({
        seq: -1,
        frame: JSON.stringify({ id, type: "subscribed", msg: { channel: "orderbook_delta", sid: 7 } }),
      });
    } else if (params.action === "add_markets") {
      this.#push({ id, type: "ok", msg: { market_tickers: params.market_tickers } });
    }
    for (const ticker of params.market_tickers)
      this.#snapshot(ticker, params.action === "get_snapshot" ? id : undefined);
  }

  /** Changes a level; a change that would go below zero empties it instead. */
  change(ticker: string, side: "yes" | "no", tenths: number, hundredths: number, ms: number): void {
    const totals = this.#books.get(ticker)![side];
    const before = totals.get(tenths) ?? 0;
    const after = Math.max(0, before + hundredths);
    if (after === before) return;
    if (after === 0) totals.delete(tenths);
    else totals.set(tenths, after);
    const price_dollars = dollars(tenths);
    const delta_fp = ((after - before) / 100).toFixed(2);
    this.#push({ type: "orderbook_delta", msg: { market_ticker: ticker, price_dollars, delta_fp, side, ts_ms: ms } });
  }

  #snapshot(ticker: string, id: number | undefined): void {
    const { yes, no } = this.#books.get(ticker)!;
    this.#push({
      ...(id !== undefined && { id }),
      type: "orderbook_snapshot",
      msg: {
        market_ticker: ticker,
        ...(yes.size > 0 && { yes_dollars_fp: levels(yes) }),
        ...(no.size > 0 && { no_dollars_fp: levels(no) }),
      },
      sending_ts_ms: this.ms,
    });
  }

  #push(frame: object): void {
    this.#seq += 1;
    const copy = [...this.#books].map(([ticker, { yes, no }]): [string, Truth] => [
      ticker,
      { yes: new Map(yes), no: new Map(no) },
    ]);
    this.truth.set(this.#seq, new Map(copy));
    this.wire.push({ seq: this.#seq, frame: JSON.stringify({ ...frame, sid: 7, seq: this.#seq }) });
  }
}
