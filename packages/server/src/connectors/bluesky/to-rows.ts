import type { TableRows } from "../../definition/connector.ts";
import type { InsertRow } from "../../definition/table.ts";
import { socialPosts } from "../../tables/social-posts.ts";
import { socialReactions } from "../../tables/social-reactions.ts";
import { socialRemovals } from "../../tables/social-removals.ts";
import type { Detect } from "../social/open-detector.ts";
import { toPostRow } from "../social/to-post-row.ts";
import { rememberHandle, type Memory } from "./memory.ts";
import { LIKE, POST, type CommitEvent, type JetstreamEvent, type PostRecord } from "./wire/jetstream-wire.ts";
import { languageCode } from "../../definition/vocabulary.ts";

/** Account states in which the network's copies lag or are throttled: the posts still exist. */
const STILL_THERE = new Set(["desynchronized", "throttled"]);

/** Whether to hide an account's posts: deleted, taken down, suspended, deactivated, or inactive without a reason. */
function isGone({ active, status }: { readonly active: boolean; readonly status?: string | undefined }): boolean {
  return !active && !(status !== undefined && STILL_THERE.has(status));
}

const source = "bluesky";

/** Rows by key: a key that occurs twice in a batch is stored once, in its last form. */
type Found = Readonly<Record<"posts" | "reactions" | "removals", Map<string, InsertRow>>>;
type Making = { readonly found: Found; readonly memory: Memory; readonly detect: Detect };

/** Returns the rows of these events, in order, that concern what `memory` tracks; new posts become tracked. */
export function toRows(events: readonly JetstreamEvent[], memory: Memory, detect: Detect): readonly TableRows[] {
  const making: Making = { found: { posts: new Map(), reactions: new Map(), removals: new Map() }, memory, detect };
  for (const event of events) {
    if ("commit" in event) takeCommit(making, event);
    else if ("identity" in event) {
      const { handle } = event.identity;
      if (handle !== undefined && handle !== "handle.invalid") rememberHandle(memory, event.did, handle);
    } else if ("account" in event && isGone(event.account)) {
      remove(making, { what: "author", id: event.did, ts: isoOf(event), reason: "account" });
    }
  }
  const { posts, reactions, removals } = making.found;
  // Removals come first.
  return [
    { table: socialRemovals, rows: [...removals.values()] },
    { table: socialPosts, rows: [...posts.values()] },
    { table: socialReactions, rows: [...reactions.values()] },
  ];
}

function takeCommit(making: Making, event: CommitEvent): void {
  const { commit, did } = event;
  const id = `at://${did}/${commit.collection}/${commit.rkey}`;
  if (!("record" in commit)) {
    const isOurs = commit.collection === POST || making.memory.reactions.get(id) !== undefined;
    if (isOurs) remove(making, { what: "record", id, ts: isoOf(event), reason: "deleted" });
  } else if ("subject" in commit.record) {
    react(making, event, { id, kind: commit.collection === LIKE ? "like" : "repost", uri: commit.record.subject.uri });
  } else takePost(making, event, id, commit.record);
}

function takePost(making: Making, event: CommitEvent, id: string, record: PostRecord): void {
  const { found, memory, detect } = making;
  const parent = record.reply?.parent.uri;
  const quoted = quotedBy(record);
  if (parent !== undefined) react(making, event, { id, kind: "reply", uri: parent });
  if (quoted !== undefined) react(making, event, { id, kind: "quote", uri: quoted });
  const known = memory.posts.get(id);
  const lang = languageOf(record.langs, record.text, detect);
  // An edit into another language must replace the text stored before.
  if (lang !== "" && lang !== "en" && known === undefined) return;
  // An edit, and a post replayed by another server, keep the original timestamp: it is part of their key.
  const tsMs = known ?? msOf(event);
  memory.posts.set(id, tsMs);
  const row = toPostRow({
    source,
    id,
    tsMs,
    declaredMs: Date.parse(record.createdAt),
    author: event.did,
    username: memory.handles.get(event.did),
    url: `https://bsky.app/profile/${event.did}/post/${event.commit.rkey}`,
    text: record.text,
    lang,
    parent: parent ?? quoted,
  });
  found.posts.set(id, row);
}

function quotedBy({ embed }: PostRecord): string | undefined {
  const record = embed?.record;
  if (record === undefined) return undefined;
  const uri = "record" in record ? record.record.uri : record.uri;
  return uri.includes(`/${POST}/`) ? uri : undefined;
}

function react(
  { found, memory }: Making,
  event: CommitEvent,
  { id, kind, uri }: { readonly id: string; readonly kind: string; readonly uri: string },
): void {
  if (memory.posts.get(uri) === undefined) return;
  const known = memory.reactions.get(id);
  // An edit is not a new reaction: the first one counts, with its own timestamp, wherever it was stored.
  if (known === undefined && event.commit.operation === "update") return;
  const tsMs = known ?? msOf(event);
  memory.reactions.set(id, tsMs);
  found.reactions.set(`${kind} ${id}`, { source, post_id: uri, kind, ts: new Date(tsMs).toISOString(), id });
}

function remove({ found }: Making, row: { readonly what: string; readonly id: string } & InsertRow): void {
  found.removals.set(`${row.what} ${row.id}`, { source, ...row });
}

const msOf = ({ time_us: at }: JetstreamEvent): number => Math.floor(at / 1000);
const isoOf = (event: JetstreamEvent): string => new Date(msOf(event)).toISOString();

/**
 * English if it is among the languages a post declares, else the first declared one, else the detected one; empty if
 * unknown. Declared languages are often the client's setting rather than the text's language.
 */
function languageOf(langs: readonly string[], text: string, detect: Detect): string {
  const codes = langs.map(languageCode).filter((code) => code !== "");
  if (codes.includes("en")) return "en";
  return codes[0] ?? detect(text);
}
