import { useMemo, type ReactElement } from "react";
import { DepthChart } from "../../charts/depth-chart.tsx";
import { timestampMs } from "../../explore/params.ts";
import { CoverageNote } from "../../read/answer-notes.tsx";
import { Timestamp } from "../../read/values.tsx";
import { ShownRows } from "../../read/shown-rows.tsx";
import { useRequested } from "../../read/use-requested.ts";
import { Card } from "../../ui/card.tsx";
import { ChoiceRow } from "../../ui/choice-row.tsx";
import { BookFigures } from "./book-figures.tsx";
import { type BookRow, useBook, type Venue } from "./use-book.ts";
import { depthOf, ladderOf, tickOf } from "./book-levels.ts";
import { Ladder } from "./ladder.tsx";
import { QuotesStrip } from "./quotes-strip.tsx";
import { spanOf, SPANS } from "./span-of.ts";
import { TimeSlider } from "./time-slider.tsx";

const LEVELS = ["10", "25", "100", "1000"];

type Props = { readonly venue: Venue; readonly instrument: string };

/** A book now or at any stored time, as a ladder and as depth. */
export function BookHistory({ venue, instrument }: Props): ReactElement {
  const [timestamp, chooseTimestamp] = useRequested("at", "");
  const [levels, chooseLevels] = useRequested("levels", "25", LEVELS);
  const [spanName, chooseSpan] = useRequested("span", "1h", Object.keys(SPANS));
  const at = timestampMs(timestamp);
  const newest = useBook({ venue, instrument, depth: "1" });
  const past = at === undefined ? {} : { at: new Date(at).toISOString() };
  const book = useBook({ venue, instrument, depth: levels, ...past });
  const coverage = newest.data?.coverage;
  const span = useMemo(
    () => spanOf(spanName, coverage, at, newest.data?.timestamp),
    [spanName, coverage, at, newest.data?.timestamp],
  );
  const onAt = (next: number | undefined): void =>
    chooseTimestamp(next === undefined ? "" : new Date(next).toISOString());

  return (
    <div className="grid min-w-0 grid-cols-1 gap-5">
      <Card
        title="Time"
        about="Any stored time: the book is rebuilt from snapshots and changes."
        aside={
          <ChoiceRow
            label="Span of the slider"
            value={spanName}
            choices={Object.entries(SPANS).map(([value, { label }]) => ({ value, label }))}
            onChange={chooseSpan}
          />
        }
      >
        {span === undefined ? (
          <p className="text-sm text-ink-faint">
            {newest.isPending
              ? "Loading…"
              : newest.data === undefined
                ? "The history of this book could not be read."
                : "No history of this book is stored."}
          </p>
        ) : (
          <div className="space-y-3">
            <TimeSlider from={span.from} to={span.to} at={at} onAt={onAt} isBusy={book.isFetching} />
            <p className="text-[13px] text-ink-faint">
              From <Timestamp at={new Date(span.from).toISOString()} /> to{" "}
              <Timestamp at={new Date(span.to).toISOString()} />
            </p>
            <QuotesStrip venue={venue} instrument={instrument} from={span.from} to={span.to} at={at} />
          </div>
        )}
        {coverage ? <CoverageNote coverage={coverage} /> : null}
      </Card>
      <ShownRows query={book} none={<Absent at={at} />}>
        {([row]) => (row === undefined ? null : <Shown book={row} levels={levels} onLevels={chooseLevels} />)}
      </ShownRows>
    </div>
  );
}

function Absent({ at }: { readonly at: number | undefined }): ReactElement {
  return at === undefined ? (
    <>No book is stored: this instrument is not followed, or was never open while we recorded.</>
  ) : (
    <>
      No book is stored as of <Timestamp at={new Date(at).toISOString()} />: it was not followed then.
    </>
  );
}

type ShownProps = { readonly book: BookRow; readonly levels: string; readonly onLevels: (levels: string) => void };

function Shown({ book, levels, onLevels }: ShownProps): ReactElement {
  const { bids, asks, depth, tick } = useMemo(() => {
    const sides = { bids: ladderOf(book.bids), asks: ladderOf(book.asks) };
    return {
      ...sides,
      depth: depthOf(sides.bids, sides.asks),
      tick: tickOf([...sides.bids.toReversed(), ...sides.asks].map(({ price }) => price)),
    };
  }, [book]);
  return (
    <div className="grid min-w-0 grid-cols-1 gap-5 lg:grid-cols-2">
      <Card
        isFlush
        title="Ladder"
        aside={
          <ChoiceRow
            label="Levels per side"
            value={levels}
            choices={LEVELS.map((value) => ({ value, label: value }))}
            onChange={onLevels}
          />
        }
      >
        <Ladder bids={bids} asks={asks} spread={book.spread} mid={book.mid} />
      </Card>
      <Card title="Depth">
        <BookFigures book={book} tick={tick} />
        <DepthChart title="Cumulative size by price" prices={depth.prices} series={depth.series} height={300} />
      </Card>
    </div>
  );
}
