import type { Answer } from "@almanac/client";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";
import { Empty, ErrorNote, Spinner } from "../ui/content-states.tsx";
import { Former } from "../ui/former.tsx";
import { CoverageNote, Warnings } from "./answer-notes.tsx";
import { isPlanRefusal } from "./dataset-queries.ts";

type Props<Row> = {
  readonly query: UseQueryResult<Answer<Row>>;
  /** Text shown if there are no rows. */
  readonly none: ReactNode;
  /** Class of the notes, for content that has its own padding. */
  readonly noteClass?: string;
  readonly children: (rows: readonly Row[], answer: Answer<Row>) => ReactNode;
};

/** A query result in any state: loading, failed, empty, or loaded, with its coverage. */
export function ShownRows<Row>({ query, none, noteClass = "", children }: Props<Row>): ReactElement {
  const { data, error, isPending, isPlaceholderData, fetchStatus, refetch } = query;
  if (isPlanRefusal(error) && !data) return <Empty title="Not in your plan">{error.message}</Empty>;
  if (error && !data) {
    return (
      <div className={noteClass}>
        <ErrorNote error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (isPending || !data) return fetchStatus === "idle" ? <Empty title="No request yet" /> : <Spinner />;
  return (
    <Former isFormer={isPlaceholderData}>
      {error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : null}
      {data.warnings.length === 0 ? null : (
        <div className={noteClass}>
          <Warnings of={data.warnings} />
        </div>
      )}
      {data.results.length === 0 ? <Empty title="No rows">{none}</Empty> : children(data.results, data)}
      <div className={noteClass}>
        <CoverageNote coverage={data.coverage} />
      </div>
    </Former>
  );
}
