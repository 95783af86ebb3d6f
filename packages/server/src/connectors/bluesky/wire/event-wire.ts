import { z } from "zod";
import { LIKE, POST, REPOST } from "./collections.ts";

const did = z.string().regex(/^did:[a-z]+:[\w.:%-]{1,500}$/);
/** A place of the stream, Unix microseconds. */
const micros = z.int().min(1_000_000_000_000_000).max(9_000_000_000_000_000);
const rkey = z.string().regex(/^[\w.:~-]{1,512}$/);
const ref = z.object({ uri: z.string().max(2000) });

/** What an author's own program wrote. Where it says more than a post needs and says it wrongly, that counts as unsaid. */
const post = z.object({
  text: z.string(),
  createdAt: z.string(),
  langs: z.array(z.string()).catch([]).default([]),
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
const commit = { collection: z.string(), rkey };
const written = z.enum(["create", "update"]);

const commitWire = z.union([
  z.object({ ...commit, operation: z.literal("delete") }),
  z.object({ ...commit, operation: written, collection: z.literal(POST), record: post }),
  z.object({ ...commit, operation: written, collection: z.enum([LIKE, REPOST]), record: reaction }),
]);

/** Of a kind that is not known yet: said, and nothing more is read of it. */
const unknownKind = z.object({ ...at, kind: z.string().refine((kind) => !KINDS.has(kind)) });
const KINDS = new Set(["commit", "identity", "account"]);

const commitEvent = z.object({ ...at, kind: z.literal("commit"), commit: commitWire });
const identityEvent = z.object({
  ...at,
  kind: z.literal("identity"),
  identity: z.object({ handle: z.string().max(300).optional() }),
});
const accountEvent = z.object({
  ...at,
  kind: z.literal("account"),
  account: z.object({ active: z.boolean(), status: z.string().optional() }),
});

/** An event of Jetstream, version 1. */
export const eventWire = z.union([commitEvent, identityEvent, accountEvent, unknownKind]);
export type JetstreamEvent = z.output<typeof eventWire>;
export type CommitEvent = z.output<typeof commitEvent>;
export type PostRecord = z.output<typeof post>;

/** A commit whose record may be anything. */
const envelope = z.object({
  ...at,
  kind: z.literal("commit"),
  commit: z.object({
    ...commit,
    operation: written,
    collection: z.enum([POST, LIKE, REPOST]),
    record: z.looseObject({}),
  }),
});

/** The collection of a commit that is right but for its record, which its author's program wrote. */
export function recordKind(value: unknown): string | undefined {
  const read = envelope.safeParse(value);
  return read.success ? read.data.commit.collection : undefined;
}
