import type { Caller } from "../access/caller.ts";

/** What the door remembers of one request until its log line is written. */
export type Visit = {
  caller: Caller | undefined;
  /** The id of who is signed in to the console. */
  user: string | undefined;
  agentId: number | undefined;
  /** The dataset's name, for metrics; "none" until there is one. */
  dataset: string;
  rows: number;
  bytes: number;
  code: string | undefined;
  cause: unknown;
  /** It is in the log, the metrics and the usage. */
  isFinished: boolean;
};

declare module "fastify" {
  interface FastifyRequest {
    visit: Visit;
  }
}

export const newVisit = (): Visit => ({
  caller: undefined,
  user: undefined,
  agentId: undefined,
  dataset: "none",
  rows: 0,
  bytes: 0,
  code: undefined,
  cause: undefined,
  isFinished: false,
});
