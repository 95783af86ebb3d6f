import type { FormatType } from "../../src/query/answer.ts";

/** Where a request goes, and so which answer is correct; "socket" takes bytes that are hardly HTTP. */
export type FuzzTarget = "endpoint" | "console" | "document" | "metrics" | "socket";

/** One fuzz request and the answers that are acceptable. */
export type FuzzRequest = {
  readonly kind: string;
  /** The endpoint if absent. */
  readonly target?: FuzzTarget;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  /** The expected statuses; any status under 500 if absent. */
  readonly right?: readonly number[];
  /** The format of a page, if the request leaves no doubt. */
  readonly format?: FormatType;
  /** Texts of other accounts, which the answer may contain only if the request did. */
  readonly foreign?: readonly string[];
};

/** The generator's input for the endpoint: one caller's view. */
export type FuzzMatter = {
  readonly key: string;
  readonly path: string;
  readonly datasets: readonly FuzzDataset[];
};

export type FuzzDataset = {
  readonly agentId: number;
  readonly params: readonly { readonly name: string; readonly required: boolean; readonly sample: string }[];
  readonly maxLimit: number;
  /** Cursors that the service returned for requests to this dataset, with the parameters they belong to. */
  readonly cursors: readonly { readonly cursor: string; readonly params: Readonly<Record<string, string>> }[];
};

/** An API key as used by one caller. */
export type FuzzCaller = { readonly key: string; readonly isStrict: boolean; readonly foreign: readonly string[] };

/** A user who is signed in to the console. */
export type FuzzSession = {
  readonly email: string;
  readonly cookie: string;
  readonly csrf: string;
  readonly foreign: readonly string[];
  /** No other request needs this session: it may sign out, sign in again and change its password. */
  readonly mayEnd: boolean;
  /** Ids of accounts, keys and users that may be changed, within this user's permissions and beyond them. */
  readonly ids: readonly string[];
};

/** Everything that requests are generated from. */
export type FuzzWorld = {
  readonly path: string;
  readonly alias: string;
  readonly datasets: readonly FuzzDataset[];
  readonly callers: readonly FuzzCaller[];
  readonly sessions: readonly FuzzSession[];
  readonly password: string;
  /** Paths of static documents: documentation, health, openapi. */
  readonly documents: readonly string[];
};
