import { useMemo, type ReactElement } from "react";
import { Link } from "react-router";
import { DepthChart } from "../../charts/depth-chart.tsx";
import { ShownRows } from "../../read/shown-rows.tsx";
import { Card } from "../../ui/card.tsx";
import { BookFigures } from "./book-figures.tsx";
import { type BookRow, useBook, type Venue } from "./use-book.ts";
import { depthOf, ladderOf, tickOf } from "./book-levels.ts";

const LEVELS = "50";

type Props = { readonly venue: Venue; readonly instrument: string; readonly title: string };

/** A summary of the current book, with a link to the full one. */
export function DepthCard({ venue, instrument, title }: Props): ReactElement {
  const query = useBook({ venue, instrument, depth: LEVELS });
  return (
    <Card
      title={title}
      aside={
        <Link to={`/books/${venue}/${encodeURIComponent(instrument)}`} className="text-accent underline">
          Ladder and history
        </Link>
      }
    >
      <ShownRows
        query={query}
        none="No book is stored: this instrument is not followed, or was never open while we recorded."
      >
        {([book]) => (book === undefined ? null : <Depth book={book} />)}
      </ShownRows>
    </Card>
  );
}

function Depth({ book }: { readonly book: BookRow }): ReactElement {
  const { depth, tick } = useMemo(() => {
    const [bids, asks] = [ladderOf(book.bids), ladderOf(book.asks)];
    return { depth: depthOf(bids, asks), tick: tickOf([...bids.toReversed(), ...asks].map(({ price }) => price)) };
  }, [book]);
  return (
    <>
      <BookFigures book={book} tick={tick} />
      <DepthChart title="Depth" prices={depth.prices} series={depth.series} height={180} />
    </>
  );
}
