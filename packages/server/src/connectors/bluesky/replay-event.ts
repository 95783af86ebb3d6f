import type { ReplayedPage, TableRows } from "../../definition/connector.ts";
import type { Memory } from "./memory.ts";
import { RecentIds } from "./recent-ids.ts";
import { toRows } from "./to-rows.ts";
import { eventWire, type JetstreamEvent } from "./wire/event-wire.ts";

/** The rows of a parked event. What it is about counts as followed: the memory of then is gone. */
export function replayEvent({ read }: ReplayedPage): readonly TableRows[] {
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
