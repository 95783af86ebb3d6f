import type { RefusedRow } from "../../definition/read-page.ts";

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
