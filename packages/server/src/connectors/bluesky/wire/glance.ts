import type { Glance } from "../../../definition/listen.ts";
import { LIKE, POST, REPOST } from "./collections.ts";

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
