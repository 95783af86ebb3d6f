import { kalshiBookStream } from "../../packages/server/src/connectors/kalshi/book.ts";
import { polymarketBookStream } from "../../packages/server/src/connectors/polymarket/book.ts";
import type { Session, TableRows } from "../../packages/server/src/definition/connector.ts";
import type { BookFeed, BookFrame } from "./book-feed.ts";

const STREAMS = { polymarket: polymarketBookStream, kalshi: kalshiBookStream };

export type Decoding = { readonly us: number; readonly rows: readonly TableRows[]; readonly broken: number };

/** The connector's own session, subscribed; `us`: CPU of this process, with collecting garbage. */
export function decoding({ venue, instruments }: BookFeed): {
  readonly decode: (frames: readonly BookFrame[]) => Decoding;
} {
  const session: Session = STREAMS[venue].session();
  session.subscribe(instruments);
  return {
    decode: (frames) => {
      const rows: TableRows[] = [];
      let broken = 0;
      const began = process.cpuUsage();
      for (const { text, receivedMs } of frames) {
        const decoded = session.decode(text, receivedMs);
        for (const part of decoded.rows) rows.push(part);
        broken += decoded.broken?.length ?? 0;
      }
      return { us: microseconds(began), rows, broken };
    },
  };
}

export const countOf = (parts: readonly TableRows[], isBook: boolean): number =>
  parts
    .filter(({ table }) => (table.name === "book_events") === isBook)
    .reduce((sum, { rows }) => sum + rows.length, 0);

export function microseconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return user + system;
}
