import { MIB } from "../../definition/upstream-bounds.ts";
import {
  definePull,
  type ReplayedPage,
  type TableRows,
  type Batch,
  type Call,
  type PullOptions,
  type Host,
} from "../../definition/connector.ts";
import { socialPosts } from "../../tables/social-posts.ts";
import { socialReactions } from "../../tables/social-reactions.ts";
import { socialRemovals } from "../../tables/social-removals.ts";
import { type Memory, openMemory, trackMentioned } from "./memory.ts";
import { RecentIds } from "./recent-ids.ts";
import { toRows } from "./to-rows.ts";
import {
  eventWire,
  type JetstreamEvent,
  timestampOf,
  strangerOf,
  COLLECTIONS,
  createGlance,
} from "./wire/jetstream-wire.ts";
import { cursorNumber } from "../../definition/cursor-number.ts";
import type { Listener } from "../../definition/listen.ts";
import { openDetector } from "../social/open-detector.ts";

/**
 * Jetstream, version 1. It publishes no quotas (reference/kalshi-and-social.md B2): `all` bounds connections, by our
 * own choice.
 */
const jetstreamHost: Host = {
  name: "bluesky-jetstream",
  setting: "BLUESKY_JETSTREAM_URL",
  maxBytes: 4 * MIB,
  limits: { all: { tokens: 10, perSeconds: 60, burst: 6 } },
  share: 0.5,
};

/** How far back the very first connection starts. */
const FIRST_MS = 3_600_000;
/** Each server stamps events by its own clock; the rewind receives events reordered by a disconnect again. */
const REWIND_MS = 10_000;
const SILENT_SECONDS = 30;
/** In batches: about five minutes. */
const MENTIONS_EVERY = 600;

/**
 * Opens one connection from the cursor on; the server replays the events since, including the last one stored. If that
 * one does not come, the server no longer has it, and a gap is recorded.
 */
async function* pullJetstream(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const { feed, cursor, now, known, signal } = options;
  const micros = cursorNumber(cursor, "time_us");
  const stored = micros === undefined ? undefined : Math.floor(micros / 1000);
  const detect = await openDetector();
  const fresh = new Set<string>();
  let memory: Memory | undefined;
  let reached = stored;
  let batches = 0;
  const isTracked = (post: string): boolean => memory === undefined || memory.posts.get(post) !== undefined;
  const received = feed.listen(callFrom(stored === undefined ? now() - FIRST_MS : stored - REWIND_MS), eventWire, {
    silentAfterSeconds: SILENT_SECONDS,
    glance: createGlance(isTracked, fresh),
    timestampOf,
    strangerOf,
  });
  for await (const part of received) {
    memory ??= await openMemory(known);
    if (batches > 0 && batches % MENTIONS_EVERY === 0) await trackMentioned(memory, known);
    const rows = toRows(part.events, memory, detect);
    fresh.clear();
    if (part.span === undefined) continue;
    const first = batches === 0 ? reportFirst(part.span.from, stored) : {};
    reached = Math.max(reached ?? part.span.to, part.span.to);
    batches += 1;
    yield {
      rows,
      ...first,
      cursor: { time_us: reached * 1000 },
      reached: new Date(reached).toISOString(),
      notices: noticesOf(part),
      isCaughtUp: part.isLive,
      listensOn: true,
    };
    if (signal.aborted) return;
  }
}

function callFrom(ms: number): Call {
  const collections = COLLECTIONS.map((name) => ["wantedCollections", name] as const);
  return { path: "/subscribe", query: [...collections, ["cursor", String(ms * 1000)]], route: "all" };
}

function reportFirst(from: number, stored: number | undefined): Pick<Batch, "gap" | "since"> {
  if (stored === undefined) return { since: new Date(from).toISOString() };
  if (from <= stored) return {};
  const reason = "the server no longer has events this old: its first one is later than the last one stored";
  return { gap: { from: new Date(stored).toISOString(), to: new Date(from).toISOString(), reason } };
}

function noticesOf({ malformed, events }: Listener<JetstreamEvent>): NonNullable<Batch["notices"]> {
  const kinds = new Set(
    events.flatMap((event) => ("commit" in event || "identity" in event || "account" in event ? [] : [event.kind])),
  );
  const reported = [...kinds].map((kind) => ({
    kind: "upstream_note" as const,
    text: `events of an unknown kind: ${kind.slice(0, 50)}`,
    count: events.filter((event) => event.kind === kind).length,
  }));
  if (malformed === 0) return reported;
  const text = "malformed records written by their authors' programs were skipped";
  return [...reported, { kind: "upstream_note", text, count: malformed }];
}

/** Every post in English or an unknown language, with its reactions and removals. */
export const blueskyPosts = definePull({
  name: "bluesky-posts",
  title: "Bluesky posts",
  venue: "bluesky",
  host: jetstreamHost,
  tables: [socialPosts, socialReactions, socialRemovals],
  everySeconds: 5,
  // The server keeps about a day, and each connection continues from the last event stored.
  canBackfill: false,
  pull: pullJetstream,
  replay: replayEvent,
});

/** The rows of a parked event. Its subject counts as tracked, because the memory of that time is gone. */
function replayEvent({ read }: ReplayedPage): readonly TableRows[] {
  const event = read(eventWire);
  const memory: Memory = { posts: new RecentIds(10), reactions: new RecentIds(10), handles: new Map() };
  for (const uri of subjectsOf(event)) memory.posts.set(uri, 0);
  if ("commit" in event && !("record" in event.commit)) {
    const { collection, rkey } = event.commit;
    memory.reactions.set(`at://${event.did}/${collection}/${rkey}`, 0);
  }
  return toRows([event], memory, () => "");
}

function subjectsOf(event: JetstreamEvent): string[] {
  if (!("commit" in event) || !("record" in event.commit)) return [];
  const { record } = event.commit;
  if ("subject" in record) return [record.subject.uri];
  const quoted = record.embed?.record;
  return [record.reply?.parent.uri, quoted && ("record" in quoted ? quoted.record.uri : quoted.uri)].filter(
    (uri) => uri !== undefined,
  );
}
