import { z } from "zod";

/** A command line for the owner of the data folder: `POST /commands`, answered with one JSON line per frame. */
export const commandRequest = z.strictObject({
  /** storesDigest of the caller's settings. */
  stores: z.string().max(100),
  argv: z.array(z.string().max(10_000)).min(1).max(100),
  cwd: z.string().max(5000),
  actor: z.string().max(200),
  /** The first line of standard input, if the command reads one. */
  input: z.string().max(5000).optional(),
  /** Width of the terminal that shows standard error; absent if there is none. */
  columns: z.int().positive().optional(),
});

export type CommandRequest = z.output<typeof commandRequest>;

/** `job`: the number under which the command continues when its caller disconnects; null if it ends then. */
export type Frame =
  | { readonly job: number | null }
  | { readonly out: string }
  | { readonly err: string }
  | { readonly exit: number };
