import { z } from "zod";

/** A command line for the owner of the data folder: `POST /commands`, answered by one JSON line a frame. */
export const commandRequest = z.strictObject({
  /** storesDigest of the caller's settings. */
  stores: z.string().max(100),
  argv: z.array(z.string().max(10_000)).min(1).max(100),
  cwd: z.string().max(5000),
  actor: z.string().max(200),
  /** The first line of standard input, where the command takes one. */
  input: z.string().max(5000).optional(),
  /** Of a terminal that shows standard error; absent where it is none. */
  columns: z.int().positive().optional(),
});

export type CommandRequest = z.output<typeof commandRequest>;

/** `job`: the number under which the command goes on when its caller leaves; null where it ends then. */
export type Frame =
  | { readonly job: number | null }
  | { readonly out: string }
  | { readonly err: string }
  | { readonly exit: number };
