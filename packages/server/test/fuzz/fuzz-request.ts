import type { FormatType } from "../../src/query/answer.ts";

/** Where a request goes, and so which answer is right; "socket" takes bytes that are hardly HTTP. */
export type FuzzDoor = "endpoint" | "console" | "document" | "metrics" | "socket";

/** One request of the fuzz and what may come back. */
export type FuzzRequest = {
  readonly kind: string;
  /** The endpoint when absent. */
  readonly door?: FuzzDoor;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  /** The statuses that are right; anything under 500 where it is left open. */
  readonly right?: readonly number[];
  /** The format of a page, where the request leaves no doubt. */
  readonly format?: FormatType;
  /** Texts of others, which whoever asks may not be told unless they named them themselves. */
  readonly foreign?: readonly string[];
};

/** What the generator may build on for the endpoint: one caller's view. */
export type FuzzMatter = {
  readonly key: string;
  readonly path: string;
  readonly datasets: readonly FuzzDataset[];
};

export type FuzzDataset = {
  readonly agentId: number;
  readonly params: readonly { readonly name: string; readonly required: boolean; readonly sample: string }[];
  readonly maxLimit: number;
  /** Cursors that the service gave for questions of this dataset, with the parameters they belong to. */
  readonly cursors: readonly { readonly cursor: string; readonly params: Readonly<Record<string, string>> }[];
};

/** A key as somebody asks with it. */
export type FuzzCaller = { readonly key: string; readonly isStrict: boolean; readonly foreign: readonly string[] };

/** Somebody who is signed in to the console. */
export type FuzzSession = {
  readonly email: string;
  readonly cookie: string;
  readonly csrf: string;
  readonly foreign: readonly string[];
  /** Nothing else needs this session: it may sign out, sign in again and change its password. */
  readonly mayEnd: boolean;
  /** Ids of accounts, keys and users, of this user's reach and beyond it, that may be changed. */
  readonly ids: readonly string[];
};

/** Everything that requests are made of. */
export type FuzzWorld = {
  readonly path: string;
  readonly alias: string;
  readonly datasets: readonly FuzzDataset[];
  readonly callers: readonly FuzzCaller[];
  readonly sessions: readonly FuzzSession[];
  readonly password: string;
  /** Paths that are served as they are: documentation, health, openapi. */
  readonly documents: readonly string[];
};
