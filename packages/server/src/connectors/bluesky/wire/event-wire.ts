import { z } from "zod";
import { listOf } from "../../../definition/list-of.ts";
import type { Stranger } from "../../../definition/listen.ts";
import { COLLECTIONS, LIKE, POST, REPOST } from "./collections.ts";

const did = z.string().regex(/^did:[a-z]+:[\w.:%-]{1,500}$/);
/** A place of the stream, Unix microseconds. */
const micros = z.int().min(1_000_000_000_000_000).max(9_000_000_000_000_000);
const rkey = z.string().regex(/^[\w.:~-]{1,512}$/);
const ref = z.object({ uri: z.string().max(2000) });

/** What an author's own program wrote. Where it says more than a post needs and says it wrongly, that counts as unsaid. */
const post = z.object({
  text: z.string(),
  createdAt: z.string(),
  langs: listOf(z.string(), 100).catch([]).default([]),
  reply: z.object({ parent: ref }).optional().catch(undefined),
  embed: z
    .object({
      record: z
        .union([ref, z.object({ record: ref })])
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});
const reaction = z.object({ subject: ref });

const at = { did, time_us: micros };
const written = z.enum(["create", "update"]);
const commitOf = <T extends z.ZodRawShape>(shape: T) =>
  z.object({ ...at, kind: z.literal("commit"), commit: z.object(shape) });

const wires = {
  removal: commitOf({ operation: z.literal("delete"), collection: z.enum(COLLECTIONS), rkey }),
  post: commitOf({ operation: written, collection: z.literal(POST), rkey, record: post }),
  reaction: commitOf({ operation: written, collection: z.enum([LIKE, REPOST]), rkey, record: reaction }),
  identity: z.object({
    ...at,
    kind: z.literal("identity"),
    identity: z.object({ handle: z.string().max(300).optional() }),
  }),
  account: z.object({
    ...at,
    kind: z.literal("account"),
    account: z.object({ active: z.boolean(), status: z.string().optional() }),
  }),
  /** Of a kind that is not known yet: said, and nothing more is read of it. */
  unknown: z.object({ ...at, kind: z.string() }),
};
/** A commit whose record may be anything. */
const envelope = commitOf({ operation: written, collection: z.enum(COLLECTIONS), rkey, record: z.looseObject({}) });
const stamped = z.object({ time_us: micros });

type Wires = typeof wires;
export type CommitEvent = z.output<Wires["removal" | "post" | "reaction"]>;
export type PostRecord = z.output<typeof post>;
export type JetstreamEvent = CommitEvent | z.output<Wires["identity" | "account" | "unknown"]>;

/** An event of Jetstream, version 1: read as what it says it is, so that an error names the field that is wrong. */
export const eventWire = z
  .looseObject({ kind: z.string(), commit: z.looseObject({ operation: z.string() }).optional() })
  .transform((value, context): JetstreamEvent => {
    const read = wireOf(value).safeParse(value);
    if (read.success) return read.data;
    for (const { message, path } of read.error.issues) {
      context.issues.push({ code: "custom", message, path: [...path], input: value });
    }
    return z.NEVER;
  });

function wireOf({ kind, commit }: { kind: string; commit?: { operation: string; collection?: unknown } | undefined }) {
  if (kind === "identity" || kind === "account") return wires[kind];
  if (kind !== "commit") return wires.unknown;
  if (commit?.operation === "delete") return wires.removal;
  return commit?.collection === LIKE || commit?.collection === REPOST ? wires.reaction : wires.post;
}

/** When (Unix ms) the server had an event, however it wrote it. */
export function momentOf(value: unknown): number | undefined {
  const read = stamped.safeParse(value);
  return read.success ? Math.floor(read.data.time_us / 1000) : undefined;
}

/** The collection and the author of a commit that is right but for its record, which the author's program wrote. */
export function strangerOf(value: unknown): Stranger | undefined {
  const read = envelope.safeParse(value);
  return read.success ? { kind: read.data.commit.collection, id: read.data.did } : undefined;
}
