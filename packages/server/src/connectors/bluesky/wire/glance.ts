import type { Glance } from "../../../definition/listen.ts";
import { LIKE, POST, REPOST } from "./collections.ts";

/** Quotes within a text are escaped, so that it cannot hold these. */
const TIME = /"time_us":(\d{16})[,}]/;
const COLLECTION = /"collection":"([\w.]+)"/;
const RKEY = /"rkey":"([^"\\]+)"/;
const CREATED = /"operation":"create"/;
const SUBJECT = /"subject":\{[^{}]*"uri":"(at:[^"\\]+)"/;

/**
 * What an event says without being parsed. Most of the stream are likes and reposts of posts that nobody follows: of
 * these nothing but the moment is needed. What is written in another way than we know is parsed. `fresh` gets the keys
 * of posts that were glanced at: whether they are followed is known only once they are read.
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
