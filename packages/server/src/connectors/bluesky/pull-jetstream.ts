import type { Batch, Call, PullOptions } from "../../definition/connector.ts";
import { cursorNumber } from "../../definition/cursor-number.ts";
import type { Heard } from "../../definition/listen.ts";
import { openDetector } from "../social/open-detector.ts";
import { openMemory, trackMentioned, type Memory } from "./memory.ts";
import { toRows } from "./to-rows.ts";
import { COLLECTIONS } from "./wire/collections.ts";
import { eventWire, momentOf, strangerOf, type JetstreamEvent } from "./wire/event-wire.ts";
import { createGlance } from "./wire/glance.ts";

/** What the very first walk asks for of the past. */
const FIRST_MS = 3_600_000;
/** Servers stamp events each by its own clock, and one that is reordered by a cut comes again. */
const REWIND_MS = 10_000;
const SILENT_SECONDS = 30;
/** About five minutes of batches. */
const MENTIONS_EVERY = 600;

/**
 * One connection, from the cursor on: what came since is told again, and the last event that was stored with it. Where
 * that one does not come, the server has it no longer, and a gap says so.
 */
export async function* pullJetstream(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const { feed, cursor, now, known, signal } = options;
  const micros = cursorNumber(cursor, "time_us");
  const stored = micros === undefined ? undefined : Math.floor(micros / 1000);
  const detect = await openDetector();
  const fresh = new Set<string>();
  let memory: Memory | undefined;
  let reached = stored;
  let batches = 0;
  const isTracked = (post: string): boolean => memory === undefined || memory.posts.get(post) !== undefined;
  const heard = feed.listen(callFrom(stored === undefined ? now() - FIRST_MS : stored - REWIND_MS), eventWire, {
    silentAfterSeconds: SILENT_SECONDS,
    glance: createGlance(isTracked, fresh),
    momentOf,
    strangerOf,
  });
  for await (const part of heard) {
    memory ??= await openMemory(known);
    if (batches > 0 && batches % MENTIONS_EVERY === 0) await trackMentioned(memory, known);
    const rows = toRows(part.events, memory, detect);
    fresh.clear();
    if (part.span === undefined) continue;
    const first = batches === 0 ? tellFirst(part.span.from, stored) : {};
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

function tellFirst(from: number, stored: number | undefined): Pick<Batch, "gap" | "since"> {
  if (stored === undefined) return { since: new Date(from).toISOString() };
  if (from <= stored) return {};
  const reason = "the server has nothing so old any more: its first event is later than the last one stored";
  return { gap: { from: new Date(stored).toISOString(), to: new Date(from).toISOString(), reason } };
}

function noticesOf({ malformed, events }: Heard<JetstreamEvent>): NonNullable<Batch["notices"]> {
  const kinds = new Set(
    events.flatMap((event) => ("commit" in event || "identity" in event || "account" in event ? [] : [event.kind])),
  );
  const told = [...kinds].map((kind) => ({
    kind: "upstream_note" as const,
    text: `events of a kind that is not known: ${kind.slice(0, 50)}`,
    count: events.filter((event) => event.kind === kind).length,
  }));
  if (malformed === 0) return told;
  const text = "records that their authors' programs wrote in a wrong shape were left out";
  return [...told, { kind: "upstream_note", text, count: malformed }];
}
