import { useState, type ReactElement } from "react";
import { showTimestamp } from "./show-timestamp.ts";

const DAY: Intl.DateTimeFormatOptions = { year: "numeric", month: "short", day: "numeric" };
const TIME: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

/** A time shown by its day only (today's by its time); in full, with UTC, on hover. */
export function BriefTimestamp({ at }: { readonly at: string }): ReactElement {
  const [today] = useState(() => new Date().toDateString());
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  const shown =
    date.toDateString() === today
      ? `today ${new Intl.DateTimeFormat(undefined, TIME).format(date)}`
      : new Intl.DateTimeFormat(undefined, DAY).format(date);
  return (
    <time dateTime={at} title={`${showTimestamp(at)}, ${date.toISOString()} (UTC)`} className="whitespace-nowrap">
      {shown}
    </time>
  );
}
