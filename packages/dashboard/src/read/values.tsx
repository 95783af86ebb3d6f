import type { ReactElement, ReactNode } from "react";
import { showFigure } from "./exact-figures.ts";
import { showTimestamp, shortHex } from "./value-text.ts";
import { Link } from "react-router";
import { useLocalToday } from "./use-today.ts";

type Props = {
  readonly value: unknown;
  readonly unit?: string;
  /** Gains green, losses red. */
  readonly isSigned?: boolean;
};

/** An exact figure; a rounded float shows its full value on hover. */
export function Figure({ value, unit, isSigned = false }: Props): ReactElement {
  const text = showFigure(value);
  const number = Number(value);
  const tone = !isSigned || text === "–" || number === 0 ? "" : number > 0 ? "text-up" : "text-down";
  const isLong = typeof value === "number" && String(value).length > text.length;
  return (
    <span className={`tabular-nums ${tone}`} {...(isLong ? { title: String(value) } : {})}>
      {unit === "$" && text !== "–" ? `${text.startsWith("−") ? "−$" : "$"}${text.replace(/^−/, "")}` : text}
      {unit !== undefined && unit !== "$" && text !== "–" ? <span className="text-ink-faint"> {unit}</span> : null}
    </span>
  );
}

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

const DAY: Intl.DateTimeFormatOptions = { year: "numeric", month: "short", day: "numeric" };
const TIME: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

/** A time shown by its day only (today's by its time); in full, with UTC, on hover. */
export function BriefTimestamp({ at }: { readonly at: string }): ReactElement {
  const today = useLocalToday();
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

/** Link to a wallet's page, labelled with its short address. */
export function WalletLink({ address }: { readonly address: string }): ReactElement {
  return (
    <Link to={`/wallets/${address}`} title={address} className="font-mono text-xs text-accent underline">
      {shortHex(address)}
    </Link>
  );
}

type MarketLinkProps = { readonly conditionId: string | null; readonly children: ReactNode };

/** Link to a Polymarket market's page; plain text if the market is not known. */
export function MarketLink({ conditionId, children }: MarketLinkProps): ReactElement {
  if (conditionId === null || conditionId === "") return <span>{children}</span>;
  return (
    <Link to={`/markets/polymarket/${conditionId}`} className="text-accent hover:underline">
      {children}
    </Link>
  );
}
