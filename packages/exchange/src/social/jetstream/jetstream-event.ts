import type { SocialHappening } from "../../world/social-happenings.ts";
import { toTid } from "../../world/social/record-ids.ts";
import { POST_COLLECTION, toPostRecord, toReactionRecord } from "./to-record.ts";

/** An event as stored and sent; `collection` is null for account and identity events. */
export interface JetstreamEvent {
  time_us: number;
  collection: string | null;
  text: string;
}

type Commit = { operation: "create" | "delete"; collection: string; rkey: string; cid?: string; record?: object };

type Body =
  | { kind: "commit"; commit: Commit & { rev: string } }
  | { kind: "identity"; identity: object }
  | { kind: "account"; account: object };

/** Builds an event with its frame; `time_us` is the server's timestamp. */
export function toEvent(time_us: number, did: string, body: Body): JetstreamEvent {
  const text = JSON.stringify({ did, time_us, ...body });
  const collection = body.kind === "commit" ? body.commit.collection : null;
  return { time_us, collection, text };
}

/** Converts a social happening to its Jetstream event; undefined if it is not from Bluesky. */
export function eventOf(happening: SocialHappening, time_us: number): JetstreamEvent | undefined {
  const { seq } = happening;
  const time = new Date(happening.ms).toISOString();
  if (happening.kind === "identity") {
    const { did, handle } = happening;
    return toEvent(time_us, did, { kind: "identity", identity: { did, handle, seq, time } });
  }
  if (happening.kind === "account") {
    const { did, active, status } = happening;
    const account = { active, did, seq, ...(status !== null && { status }), time };
    return toEvent(time_us, did, { kind: "account", account });
  }
  const said = commitOf(happening);
  if (said === undefined) return undefined;
  return toEvent(time_us, said.did, { kind: "commit", commit: { rev: toTid(time_us, seq), ...said.commit } });
}

function commitOf(
  happening: Extract<SocialHappening, { kind: "post" | "reaction" | "removal" }>,
): { did: string; commit: Commit } | undefined {
  if (happening.kind === "removal") return deletion(happening.removed);
  const made = happening.kind === "post" ? happening.post : happening.reaction;
  if (made.source !== "bluesky") return undefined;
  const collection = happening.kind === "post" ? POST_COLLECTION : `app.bsky.feed.${happening.reaction.type}`;
  const record = happening.kind === "post" ? toPostRecord(happening.post) : toReactionRecord(happening.reaction);
  const { did, rkey, cid } = made;
  return { did, commit: { operation: "create", collection, rkey, record, cid } };
}

function deletion(
  removed: Extract<SocialHappening, { kind: "removal" }>["removed"],
): { did: string; commit: Commit } | undefined {
  const gone = "post" in removed ? removed.post : removed.reaction;
  if (gone.source !== "bluesky") return undefined;
  const collection = "post" in removed ? POST_COLLECTION : `app.bsky.feed.${removed.reaction.type}`;
  return { did: gone.did, commit: { operation: "delete", collection, rkey: gone.rkey } };
}
