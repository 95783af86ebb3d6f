import type { ReactElement } from "react";
import { Link } from "react-router";
import { useStreams, type StreamStatus } from "../../api/streams.ts";
import { showSpan } from "../../read/value-text.ts";
import { Badge } from "../../ui/indicators.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { TEXT_LINK } from "../../ui/text-link.ts";
import { streamRank, streamWords } from "../operator-streams/stream-tone.ts";

const MOST = 5;

function Troubled({ stream }: { readonly stream: StreamStatus }): ReactElement {
  const { tone, words } = streamWords(stream);
  return (
    <li className="flex items-center justify-between gap-3 text-sm">
      <span className="min-w-0 truncate">{stream.name}</span>
      <span className="flex items-center gap-2 whitespace-nowrap text-ink-faint">
        {stream.lag_seconds === null ? null : showSpan(stream.lag_seconds)}
        <Badge tone={tone}>{words}</Badge>
      </span>
    </li>
  );
}

/** For operators: health of ingestion. */
export function StreamsCard(): ReactElement {
  const status = useStreams();
  const on = (status.data?.streams ?? []).filter((stream) => streamWords(stream).tone !== "quiet");
  const troubled = on.filter((stream) => streamRank(stream) < 2);
  return (
    <Card
      title="Streams"
      aside={
        <Link to="/operator/streams" className={TEXT_LINK}>
          All streams
        </Link>
      }
    >
      {status.isError ? <ErrorNote error={status.error} onRetry={() => void status.refetch()} /> : null}
      {status.isPending ? <Spinner label="Loading streams" /> : null}
      {status.data === undefined ? null : (
        <>
          <p className="mb-2 text-sm text-ink-soft">
            {troubled.length === 0 ? (
              <>
                <Badge tone="good">all healthy</Badge> {on.length} streams are on.
              </>
            ) : (
              `${on.length - troubled.length} of ${on.length} are healthy. To check:`
            )}
          </p>
          <ul className="flex flex-col gap-2">
            {troubled
              .toSorted((a, b) => streamRank(a) - streamRank(b))
              .slice(0, MOST)
              .map((stream) => (
                <Troubled key={stream.name} stream={stream} />
              ))}
          </ul>
        </>
      )}
    </Card>
  );
}
