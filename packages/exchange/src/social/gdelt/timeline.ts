import type { Post } from "../../world/social-contract.ts";
import { seenMs } from "./article.ts";
import type { Window } from "./read-window.ts";
import { stampOf } from "./stamp.ts";

const HOUR_MS = 3_600_000;
const RESOLUTIONS = [
  { upTo_ms: 72 * HOUR_MS, step_ms: 900_000, name: "15m" },
  { upTo_ms: 7 * 24 * HOUR_MS, step_ms: HOUR_MS, name: "hour" },
  { upTo_ms: Infinity, step_ms: 24 * HOUR_MS, name: "day" },
];

/** Articles found and all articles, step by step; steps get longer with the window. */
export function timelineOf(found: readonly Post[], all: readonly Post[], window: Window, title: string) {
  const span = window.to_ms - window.from_ms;
  const { step_ms, name } = RESOLUTIONS.find(({ upTo_ms }) => span <= upTo_ms) ?? { step_ms: 900_000, name: "15m" };
  const [some, every] = [countBy(found, step_ms), countBy(all, step_ms)];
  const data = [];
  for (let at = Math.floor(window.from_ms / step_ms) * step_ms; at <= window.to_ms; at += step_ms)
    data.push({ date: stampOf(at), value: some.get(at) ?? 0, norm: every.get(at) ?? 0 });
  return { query_details: { title, date_resolution: name }, timeline: [{ series: "Article Count", data }] };
}

function countBy(posts: readonly Post[], stepMs: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const post of posts) {
    const at = Math.floor(seenMs(post) / stepMs) * stepMs;
    counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  return counts;
}
