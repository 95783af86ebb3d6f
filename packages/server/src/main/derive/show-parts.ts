import { MultiBar, type SingleBar } from "cli-progress";
import type { Shown } from "./derive-all.ts";

export type ShowParts = { readonly show: (shown: Shown) => void; readonly stop: () => void };

type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean };

const LINE_EVERY_MS = 60_000;

/** Shows the progress of each part: bars on a terminal, otherwise a line per minute for each and one when it ends. */
export function showParts(stream: Stream, now: () => number): ShowParts {
  return stream.isTTY ? bars(stream) : lines(stream, now);
}

/** Finished bars stay visible. */
function bars(stream: Stream): ShowParts {
  const multi = new MultiBar({
    format: "{what} [{bar}] {percentage}% | {done} | {eta} s left",
    stream,
  });
  const shown = new Map<string, SingleBar>();
  return {
    show: ({ what, share, done, isOver }) => {
      const bar = shown.get(what) ?? multi.create(1000, 0, { what, done });
      shown.set(what, bar);
      bar.update(Math.round(share * 1000), { what, done });
      if (isOver) bar.stop();
    },
    stop: () => multi.stop(),
  };
}

/** Plain lines: without a terminal cli-progress shows nothing, and finally every bar as full. */
function lines(stream: Stream, now: () => number): ShowParts {
  const reported = new Map<string, number>();
  return {
    show: ({ what, share, done, isOver }) => {
      const last = reported.get(what) ?? now();
      reported.set(what, last);
      if (!isOver && now() - last < LINE_EVERY_MS) return;
      reported.set(what, now());
      stream.write(`${what} ${Math.floor(share * 100)}%${done === "" ? "" : ` | ${done}`}\n`);
    },
    stop: () => undefined,
  };
}
