import type { ReactElement } from "react";
import type { StreamStatus } from "../../api/streams.ts";
import { showFigure } from "../../read/show-figure.ts";
import { Card } from "../../ui/card.tsx";
import { Stat } from "../../ui/stat.tsx";
import { streamWords } from "./stream-tone.ts";

const sum = (streams: readonly StreamStatus[], of: (stream: StreamStatus) => number | null): number =>
  streams.reduce((total, stream) => total + (of(stream) ?? 0), 0);

/** All streams in one look. */
export function StreamSummary({ streams }: { readonly streams: readonly StreamStatus[] }): ReactElement {
  const on = streams.filter((stream) => streamWords(stream).tone !== "quiet");
  const well = on.filter((stream) => ["good", "accent"].includes(streamWords(stream).tone)).length;
  const troubled = on.length - well;
  const rate = sum(streams, (stream) => stream.rows_per_second);
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Stat
          label="Streams well"
          value={`${well} of ${on.length}`}
          note={troubled === 0 ? "nothing to look at" : `${troubled} to look at`}
        />
        <Stat label="Rows a second" value={showFigure(Number(rate.toFixed(1)))} />
        <Stat label="Open gaps" value={showFigure(sum(streams, (stream) => stream.open_gaps))} />
        <Stat label="Parked pages" value={showFigure(sum(streams, (stream) => stream.parked_pages))} />
      </dl>
    </Card>
  );
}
