import { useEffect, useRef, type ReactElement, useState } from "react";
import type { Answered } from "../../explore/add-page.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/content-states.tsx";
import { useCopy } from "../../ui/use-copy.ts";
import { AnswerFacts } from "./answer-facts.tsx";
import { DownloadControl } from "./download-control.tsx";
import { FIRST_VIEW, ResultGrid, type ResultGridProps } from "./grid/result-grid.tsx";
import { MAX_ROWS, type AnswerState } from "./use-answer.ts";

/** The cursor of the next page, for programs that continue from here. */
function CopyCursor({ cursor }: { readonly cursor: string }): ReactElement {
  const [state, copy] = useCopy(cursor);
  const words = { idle: "Copy cursor", copied: "Copied", refused: "The browser refused to copy" }[state];
  return (
    <Button tone="quiet" icon="copy" title={cursor} onClick={copy}>
      <span aria-live="polite">{words}</span>
    </Button>
  );
}

/** Shows that a request is pending, and for how long. */
function Asking({ since }: { readonly since: number }): ReactElement {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 200);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, now - since) / 1000;
  return (
    <p aria-hidden="true" className="flex items-center gap-3 border-b border-line px-5 py-3 text-sm text-ink-faint">
      <span className="size-4 animate-spin rounded-full border-2 border-line-strong border-t-transparent" />
      Running… {seconds.toFixed(1)} s
    </p>
  );
}

interface AnswerPanelProps {
  readonly dataset: Dataset;
  readonly state: AnswerState;
  readonly onMore: () => void;
}

/** The response: duration, coverage, rows, and actions on them. */
export function AnswerPanel({ dataset, state, onMore }: AnswerPanelProps): ReactElement {
  const { answered, askingSince } = state;
  // Kept here, since the grid is not shown while a request is pending.
  const [view, setView] = useState(FIRST_VIEW);
  const section = useRef<HTMLElement>(null);
  const requestId = answered?.pages === 1 ? answered.last.requestId : undefined;
  useEffect(() => {
    const element = section.current;
    if (requestId !== undefined && element !== null && element.getBoundingClientRect().top > window.innerHeight * 0.6)
      element.scrollIntoView({ block: "start" });
  }, [requestId]);
  return (
    <section
      ref={section}
      aria-label="Answer"
      aria-busy={askingSince !== undefined}
      className="min-w-0 scroll-mt-4 rounded-xl border border-line bg-surface shadow-card"
    >
      <p role="status" className="sr-only">
        {statusText(state)}
      </p>
      {askingSince === undefined ? null : <Asking since={askingSince} />}
      {answered === undefined && askingSince === undefined ? <NoAnswer state={state} /> : null}
      {answered === undefined ? null : (
        <Shown dataset={dataset} answered={answered} state={state} onMore={onMore} view={view} onView={setView} />
      )}
    </section>
  );
}

function NoAnswer({ state }: { readonly state: AnswerState }): ReactElement {
  if (state.error !== undefined) return <Empty title="No answer">The errors are shown above.</Empty>;
  return (
    <Empty title={state.wasCancelled === true ? "Cancelled" : "No request yet"}>
      Fill the form, or choose an example, and press Enter.
    </Empty>
  );
}

function statusText({ askingSince, answered, wasCancelled }: AnswerState): string {
  if (askingSince !== undefined) return "Running";
  if (wasCancelled === true) return "Cancelled";
  return answered === undefined ? "" : `${answered.rows.length} rows`;
}

type ShownProps = AnswerPanelProps & { readonly answered: Answered } & Pick<ResultGridProps, "view" | "onView">;

function Shown({ dataset, answered, state, onMore, view, onView }: ShownProps): ReactElement {
  const { rows, coverage, last } = answered;
  const { hasMore } = last.pagination;
  const isFull = rows.length >= MAX_ROWS;
  return (
    <>
      <AnswerFacts answered={answered} wasCancelled={state.wasCancelled === true} />
      {rows.length === 0 ? (
        <Empty title="No rows">Nothing is stored for this request{coverage.complete ? "" : " yet"}.</Empty>
      ) : (
        <ResultGrid
          key={answered.request.agentId}
          caption={`Rows of ${dataset.title}`}
          dataset={dataset}
          rows={rows}
          hasMore={hasMore}
          view={view}
          onView={onView}
        />
      )}
      <div className="flex flex-wrap items-end justify-between gap-3 border-t border-line px-5 py-3">
        <div className="flex flex-wrap items-center gap-3 text-[13px] text-ink-faint">
          <Button onClick={onMore} disabled={!hasMore || isFull} isBusy={state.askingSince !== undefined}>
            Load more
          </Button>
          {last.pagination.nextCursor === null ? null : <CopyCursor cursor={last.pagination.nextCursor} />}
          <span>{moreText(answered)}</span>
        </div>
        <DownloadControl dataset={dataset} request={answered.request} />
      </div>
    </>
  );
}

function moreText({ rows, pages, last }: Answered): string {
  if (rows.length >= MAX_ROWS) return `This page keeps ${MAX_ROWS} rows at most: download them, or request fewer.`;
  if (last.pagination.hasMore) return `${pages} ${pages === 1 ? "page" : "pages"} loaded, more available.`;
  return "All rows loaded.";
}
