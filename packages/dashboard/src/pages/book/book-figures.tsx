import type { ReactElement } from "react";
import { Figure, Timestamp } from "../../read/values.tsx";
import { groupDecimal, toPixelNumber } from "../../read/exact-figures.ts";
import { Stat } from "../../ui/indicators.tsx";
import type { BookRow } from "./use-book.ts";

type Props = { readonly book: BookRow; readonly tick: string | null };

/** The figures above a book. */
export function BookFigures({ book, tick }: Props): ReactElement {
  const imbalance = toPixelNumber(book.imbalance);
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
          value={imbalance === null ? "–" : `${groupDecimal((100 * imbalance).toFixed(1))} %`}
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
