import type { z } from "zod";
import type { Call } from "../../definition/connector.ts";
import { readPage, type RefusedRow } from "../../definition/read-page.ts";
import { readRowsAhead } from "../../definition/rows-of.ts";
import type { WrongShape } from "../../definition/wrong-shape.ts";
import type { FeedOptions } from "./feed.ts";
import { UpstreamChanged } from "./upstream-errors.ts";

type Answer = {
  readonly route: string;
  readonly path: string;
  readonly value: unknown;
  readonly text: (() => string) | undefined;
  /** The bound that it exceeds: it was not parsed. */
  readonly over: string | undefined;
  readonly ifChanged?: Call["ifChanged"];
};

const SAMPLE_CHARS = 200;

type Accepting = Pick<FeedOptions, "host" | "stream" | "range" | "log" | "metrics" | "park">;

/**
 * Parses an answer by its schema. One of a wrong shape is parked entirely: if only some rows are wrong the others are
 * returned; if the caller can do without all of it (`ifChanged`) it is undefined; else UpstreamChanged is thrown.
 * Missing data is recorded before anything is returned; a failure of that is thrown.
 */
export async function accept<T extends z.ZodType>(
  accepting: Accepting,
  answer: Answer,
  reply: T,
): Promise<z.output<T> | undefined> {
  if (answer.over === undefined) await readRowsAhead(reply, answer.value);
  const page = answer.over === undefined ? readPage(reply, answer.value) : beyond(answer.over, answer.text);
  if (page.kind === "whole") return page.data;
  const found = { host: accepting.host.name, route: answer.route, path: answer.path, ...page.wrong };
  report(accepting, found, page.kind === "partial" ? page.refused.length : undefined);
  const parked = {
    stream: accepting.stream,
    ...(accepting.range ? { cycle: toCycle(accepting.range) } : {}),
    ...found,
    body: answer.text?.() ?? JSON.stringify(answer.value) ?? "",
  };
  if (page.kind === "partial") {
    await accepting.park({ ...parked, refused: page.refused });
    return page.data;
  }
  if (answer.ifChanged) {
    await accepting.park({ ...parked, missing: answer.ifChanged });
    return undefined;
  }
  await accepting.park(parked).catch((error: unknown) => {
    // The cursor stays before this page, so nothing is lost with it.
    accepting.log.error({ err: error, ...found }, "a page of unexpected shape could not be parked");
  });
  throw new UpstreamChanged(found);
}

/** An answer beyond a bound counts as a wrong shape, whatever it contains. */
function beyond(over: string, text: Answer["text"]): { readonly kind: "refused"; readonly wrong: WrongShape } {
  const sample = text?.().slice(0, SAMPLE_CHARS) ?? "nothing";
  return { kind: "refused", wrong: { field: "(the whole answer)", problem: `it is ${over}`, sample } };
}

function toCycle(range: { readonly from: string; readonly to: string }): { from: number; to: number } {
  return { from: Date.parse(range.from), to: Date.parse(range.to) };
}

function report(
  { metrics, log, stream }: Accepting,
  found: WrongShape & { readonly host: string; readonly route: string; readonly path: string },
  rows: number | undefined,
): void {
  const { host, route } = found;
  metrics.changed.inc({ host, route, stream });
  if (rows !== undefined) metrics.refused.inc({ stream }, rows);
  log.error({ event: "upstream_changed", stream, ...found, rows: rows ?? "all" }, "upstream_changed");
}

/** A fully or partly unreadable page, kept entirely so that it can be replayed once the parser is fixed. */
export type ParkedPage = {
  readonly stream: string;
  readonly host: string;
  readonly route: string;
  readonly path: string;
  readonly problem: string;
  readonly field: string;
  readonly sample: string;
  readonly body: string;
  /** Rows that were not read while the walk continued; absent if the entire page was rejected. */
  readonly refused?: readonly RefusedRow[];
  /** What is missing if the walk continued without the entire page; absent if it stopped there. */
  readonly missing?: Missing;
  /** Range of the walk that met it, if not the newest data (Unix ms). */
  readonly cycle?: { readonly from: number; readonly to: number };
};

/** Missing data, in Unix ms; by instrument if known. */
export type Missing = { readonly from: number; readonly to: number; readonly instruments?: readonly string[] };

/** Resolves once the page and its gaps are recorded. */
export type Park = (page: ParkedPage) => Promise<void>;
