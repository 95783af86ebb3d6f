import type { ReactElement } from "react";
import { useStreams, type ServiceStatus, type StreamStatus } from "../../api/streams.ts";
import { BriefTimestamp } from "../../read/values.tsx";
import { showFigure } from "../../read/exact-figures.ts";
import { Badge, Stat } from "../../ui/indicators.tsx";
import { Card } from "../../ui/card.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { Empty, ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { HostBudgets } from "./host-budgets.tsx";
import { STREAM_COLUMNS } from "./stream-columns.tsx";
import { streamWords } from "./stream-tone.ts";

const sum = (streams: readonly StreamStatus[], of: (stream: StreamStatus) => number | null): number =>
  streams.reduce((total, stream) => total + (of(stream) ?? 0), 0);

/** Summary of all streams. */
function StreamSummary({ streams }: { readonly streams: readonly StreamStatus[] }): ReactElement {
  const on = streams.filter((stream) => streamWords(stream).tone !== "quiet");
  const well = on.filter((stream) => ["good", "accent"].includes(streamWords(stream).tone)).length;
  const troubled = on.length - well;
  const rate = sum(streams, (stream) => stream.rows_per_second);
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Stat
          label="Healthy streams"
          value={`${well} of ${on.length}`}
          note={troubled === 0 ? "nothing to check" : `${troubled} to check`}
        />
        <Stat label="Rows a second" value={showFigure(Number(rate.toFixed(1)))} />
        <Stat label="Open gaps" value={showFigure(sum(streams, (stream) => stream.open_gaps))} />
        <Stat label="Parked pages" value={showFigure(sum(streams, (stream) => stream.parked_pages))} />
      </dl>
    </Card>
  );
}

function Derivations({ waiting }: { readonly waiting: ServiceStatus["derivations"] }): ReactElement | null {
  const known = Object.entries(waiting);
  if (known.length === 0) return null;
  return (
    <Card title="Derivations" about="Buckets waiting to be recomputed.">
      <ul className="grid gap-x-8 gap-y-1 text-sm sm:grid-cols-2 lg:grid-cols-3">
        {known
          .toSorted(([, a], [, b]) => b - a)
          .map(([name, buckets]) => (
            <li key={name} className="flex justify-between gap-3">
              <span className="truncate">{name}</span>
              <span className={`tabular-nums ${buckets === 0 ? "text-ink-faint" : ""}`}>{showFigure(buckets)}</span>
            </li>
          ))}
      </ul>
    </Card>
  );
}

export default function OperatorStreamsPage(): ReactElement {
  const status = useStreams();
  const shown = status.data;
  return (
    <>
      <PageHeader title="Streams" about="What is collected, its progress, and what blocks it." />
      <div className="flex flex-col gap-4">
        {status.isError ? <ErrorNote error={status.error} onRetry={() => void status.refetch()} /> : null}
        {shown === undefined ? (
          status.isError ? null : (
            <Spinner label="Loading streams" />
          )
        ) : (
          <>
            {shown.running ? null : (
              <p>
                <Badge tone="bad">not running</Badge> No process is collecting data; the last recorded state is shown.
              </p>
            )}
            {shown.leader === null ? null : (
              <p className="text-sm text-ink-faint">
                {shown.leader.process} has been collecting and deriving since <BriefTimestamp at={shown.leader.since} />
              </p>
            )}
            <StreamSummary streams={shown.streams} />
            <Card isFlush>
              <DataTable
                caption="Streams"
                rows={shown.streams}
                columns={STREAM_COLUMNS}
                rowKey={(stream) => stream.name}
                initialSort={{ id: "state", isDescending: false }}
                maxHeightPx={1400}
                empty={<Empty title="No stream is configured" />}
              />
            </Card>
            <h2 className="mt-2 font-serif text-xl">Budgets by host</h2>
            <HostBudgets hosts={shown.hosts} />
            <Derivations waiting={shown.derivations} />
          </>
        )}
      </div>
    </>
  );
}
