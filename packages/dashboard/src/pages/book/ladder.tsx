import type { ReactElement } from "react";
import { Figure } from "../../read/values.tsx";
import { toPixelNumber } from "../../read/exact-figures.ts";
import type { LadderLevel } from "./book-levels.ts";

type Props = {
  /** Best first. */
  readonly bids: readonly LadderLevel[];
  readonly asks: readonly LadderLevel[];
  readonly spread: string | null;
  readonly mid: string | null;
};

const HEAD = "sticky top-0 z-1 bg-surface px-3 py-1.5 text-right text-[13px] font-medium text-ink-faint";

type RowProps = { readonly level: LadderLevel; readonly isBid: boolean; readonly largest: number };

function Level({ level, isBid, largest }: RowProps): ReactElement {
  const share = (toPixelNumber(level.cumulated) ?? 0) / largest;
  return (
    <tr>
      <td className={`w-24 px-3 py-0.5 text-right tabular-nums ${isBid ? "text-up" : "text-down"}`}>
        <Figure value={level.price} />
      </td>
      <td className="px-3 py-0.5 text-right">
        <Figure value={level.size} />
      </td>
      <td className="relative px-3 py-0.5 text-right">
        <span
          aria-hidden="true"
          className={`absolute inset-y-px right-0 rounded-l ${isBid ? "bg-up-soft" : "bg-down-soft"}`}
          style={{ width: `${Math.min(100, 100 * share)}%` }}
        />
        <span className="relative">
          <Figure value={level.cumulated} />
        </span>
      </td>
    </tr>
  );
}

/** The book as a ladder: asks above, bids below, each with its cumulative size. */
export function Ladder({ bids, asks, spread, mid }: Props): ReactElement {
  const largest = Math.max(
    toPixelNumber(bids.at(-1)?.cumulated) ?? 0,
    toPixelNumber(asks.at(-1)?.cumulated) ?? 0,
    Number.MIN_VALUE,
  );
  return (
    <div role="region" aria-label="Order book" tabIndex={0} className="max-h-[34rem] overflow-auto">
      <table className="w-full border-separate border-spacing-0 text-sm">
        <caption className="sr-only">Asks above, bids below, the best prices in the middle</caption>
        <thead>
          <tr>
            <th scope="col" className={HEAD}>
              Price
            </th>
            <th scope="col" className={HEAD}>
              Size
            </th>
            <th scope="col" className={HEAD}>
              Cumulative
            </th>
          </tr>
        </thead>
        <tbody>
          {asks.toReversed().map((level) => (
            <Level key={level.price} level={level} isBid={false} largest={largest} />
          ))}
        </tbody>
        <tbody>
          <tr>
            <td colSpan={3} className="border-y border-line bg-sunken px-3 py-1 text-center text-[13px]">
              {mid === null ? (
                "one side is empty"
              ) : (
                <>
                  mid <Figure value={mid} /> · spread <Figure value={spread} />
                </>
              )}
            </td>
          </tr>
        </tbody>
        <tbody>
          {bids.map((level) => (
            <Level key={level.price} level={level} isBid largest={largest} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
