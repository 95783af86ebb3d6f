import type { ReactElement } from "react";
import { showTimestamp } from "./show-timestamp.ts";

/** A time in the user's zone; UTC on hover. `isDay`: a UTC day. */
export function Timestamp({
  at,
  isDay = false,
}: {
  readonly at: string | null;
  readonly isDay?: boolean;
}): ReactElement {
  if (at === null) return <span>–</span>;
  const date = new Date(at);
  const title = isDay || Number.isNaN(date.getTime()) ? at : `${date.toISOString()} (UTC)`;
  return (
    <time dateTime={at} title={isDay ? "A day in UTC" : title} className="whitespace-nowrap">
      {showTimestamp(at, isDay)}
    </time>
  );
}
