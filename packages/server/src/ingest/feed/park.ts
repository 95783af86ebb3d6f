import type { RefusedRow } from "../../definition/read-page.ts";

/** A page that could not be read, or not all of it, kept whole so that it can be replayed once the reader is put right. */
export type ParkedPage = {
  readonly stream: string;
  readonly host: string;
  readonly route: string;
  readonly path: string;
  readonly problem: string;
  readonly field: string;
  readonly sample: string;
  readonly body: string;
  /** The rows that were not read while the walk went on; absent where the whole page was not taken. */
  readonly refused?: readonly RefusedRow[];
  /** What is missing where the walk went on without the whole page; absent where it stopped there. */
  readonly missing?: Missing;
  /** What the walk that met it went over, where that is not what is newest (Unix ms). */
  readonly turn?: { readonly from: number; readonly to: number };
};

/** A hole, in Unix ms; by instrument where they are known. */
export type Missing = { readonly from: number; readonly to: number; readonly instruments?: readonly string[] };

/** Resolves once the page and what is missing because of it are written down. */
export type Park = (page: ParkedPage) => Promise<void>;
