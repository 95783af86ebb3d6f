import { z } from "zod";
import { listOf } from "../../../definition/upstream-bounds.ts";
import type { Stranger, Glance } from "../../../definition/listen.ts";

export const POST = "app.bsky.feed.post";
export const LIKE = "app.bsky.feed.like";
export const REPOST = "app.bsky.feed.repost";

/** Collections requested from the stream; account and identity events are always included. */
export const COLLECTIONS = [POST, LIKE, REPOST] as const;

const did = z.string().regex(/^did:[a-z]+:[\w.:%-]{1,500}$/);
/** A stream position, Unix microseconds. */
const micros = z.int().min(1_000_000_000_000_000).max(9_000_000_000_000_000);
const rkey = z.string().regex(/^[\w.:~-]{1,512}$/);
const ref = z.object({ uri: z.string().max(2000) });

/** The record written by the author's client. A malformed field that a post does not need counts as absent. */
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
  /** An unknown kind: reported by name, its content is not read. */
  unknown: z.object({ ...at, kind: z.string() }),
};
/** A commit with any record. */
const envelope = commitOf({ operation: written, collection: z.enum(COLLECTIONS), rkey, record: z.looseObject({}) });
const stamped = z.object({ time_us: micros });

type Wires = typeof wires;
export type CommitEvent = z.output<Wires["removal" | "post" | "reaction"]>;
export type PostRecord = z.output<typeof post>;
export type JetstreamEvent = CommitEvent | z.output<Wires["identity" | "account" | "unknown"]>;

/** A Jetstream event, version 1; parsed by its declared kind, so that an error names the wrong field. */
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

/** The server's timestamp of an event (Unix ms), whether or not the rest of it is valid. */
export function timestampOf(value: unknown): number | undefined {
  const read = stamped.safeParse(value);
  return read.success ? Math.floor(read.data.time_us / 1000) : undefined;
}

/** The collection and author of a commit that is valid except for its record, which the author's client wrote. */
export function strangerOf(value: unknown): Stranger | undefined {
  const read = envelope.safeParse(value);
  return read.success ? { kind: read.data.commit.collection, id: read.data.did } : undefined;
}

/** Quotes inside a text are escaped, so a text cannot match these patterns. */
const TIME = /"time_us":(\d{16})[,}]/;
const COLLECTION = /"collection":"([\w.]+)"/;
const RKEY = /"rkey":"([^"\\]+)"/;
const CREATED = /"operation":"create"/;
const SUBJECT = /"subject":\{[^{}]*"uri":"(at:[^"\\]+)"/;

/**
 * Reads an event by pattern, without parsing it. Most events are likes and reposts of untracked posts, of which only
 * the timestamp is needed; an event in an unexpected form is parsed. `fresh` collects the keys of posts seen here,
 * which are known to be tracked or not only once they are parsed.
 */
export function createGlance(
  isTracked: (post: string) => boolean,
  fresh: Set<string>,
): (frame: string) => Glance | undefined {
  return (frame) => {
    const time = TIME.exec(frame)?.[1];
    if (time === undefined) return undefined;
    const ms = Math.floor(Number(time) / 1000);
    const collection = COLLECTION.exec(frame)?.[1];
    if (collection === POST) fresh.add(RKEY.exec(frame)?.[1] ?? "");
    if (collection !== LIKE && collection !== REPOST) return { ms, isNeeded: true };
    const subject = CREATED.test(frame) ? SUBJECT.exec(frame)?.[1] : undefined;
    if (subject === undefined) return { ms, isNeeded: true };
    return { ms, isNeeded: isTracked(subject) || fresh.has(subject.slice(subject.lastIndexOf("/") + 1)) };
  };
}
