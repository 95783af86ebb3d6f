import { isJsonObject, type JsonObject, readJson } from "../json-object.ts";

/** Types of Kalshi's command replies. */
const ANSWERS = new Set(["subscribed", "unsubscribed", "ok", "error"]);

/** Parses a frame into an object or a list of them. Undefined for PONG and other plain text. */
export function readFrame(text: string): JsonObject | unknown[] | undefined {
  const frame = readJson(text);
  return isJsonObject(frame) || Array.isArray(frame) ? frame : undefined;
}

/** Whether the frame replies to a client command (Kalshi's acknowledgement) and is not a push. */
export function isAnswer(frame: JsonObject | unknown[]): boolean {
  return !Array.isArray(frame) && ANSWERS.has(String(frame["type"]));
}

/**
 * Name for matching faults: event_type of the market channel, type of Kalshi, topic and type of RTDS
 * (`activity.trades`), kind of Jetstream with the collection and operation of a commit
 * (`commit.app.bsky.feed.post.delete`).
 */
export function frameName(frame: JsonObject | unknown[]): string {
  const first: unknown = Array.isArray(frame) ? frame[0] : frame;
  if (!isJsonObject(first)) return "";
  if (typeof first["topic"] === "string") return `${first["topic"]}.${String(first["type"])}`;
  const { commit } = first;
  if (isJsonObject(commit)) return `commit.${String(commit["collection"])}.${String(commit["operation"])}`;
  if (typeof first["kind"] === "string") return first["kind"];
  return String(first["event_type"] ?? first["type"] ?? "");
}
