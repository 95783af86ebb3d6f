import type { ReactElement } from "react";
import { Figure, Timestamp } from "../../read/values.tsx";
import { Stat } from "../../ui/indicators.tsx";
import { imbalanceOf } from "./book-levels.ts";
import type { BookRow } from "./use-book.ts";

type Props = { readonly book: BookRow; readonly tick: string | null };

/** The figures above a book. */
export function BookFigures({ book, tick }: Props): ReactElement {
  return (
    <div className="mb-4 space-y-2">
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-3">
        <Stat
          label="Mid"
          value={<Figure value={book.mid} />}
          note={
            <>
              micro-price <Figure value={book.micro_price} />
            </>
          }
        />
        <Stat
          label="Spread"
          value={<Figure value={book.spread} />}
          note={tick === null ? "" : `smallest step ${tick}`}
        />
        <Stat
          label="Imbalance"
          value={<Figure value={imbalanceOf(book)} unit="%" />}
          note={
            <>
              bids <Figure value={book.bid_depth_usd} unit="$" />, asks <Figure value={book.ask_depth_usd} unit="$" />
            </>
          }
        />
      </dl>
      <p className="text-[13px] text-ink-faint">
        Unchanged since <Timestamp at={book.timestamp} />
      </p>
    </div>
  );
}
