/** Frames that wait to be read. It refuses none: `isFull` says that no more should be asked for. */
export type FrameQueue = {
  readonly put: (frame: string) => void;
  readonly take: (count: number) => readonly string[];
  readonly size: () => number;
  readonly isFull: () => boolean;
  /** Half or less of what fills it. */
  readonly isLow: () => boolean;
};

const MOST_FRAMES = 20_000;
const MOST_CHARS = 32 * 1024 * 1024;

export function createFrameQueue(): FrameQueue {
  let waiting: string[] = [];
  let taken = 0;
  let chars = 0;
  const size = (): number => waiting.length - taken;
  const holds = (share: number): boolean => size() > MOST_FRAMES * share || chars > MOST_CHARS * share;
  return {
    put: (frame) => {
      waiting.push(frame);
      chars += frame.length;
    },
    take: (count) => {
      const slice = waiting.slice(taken, taken + count);
      taken += slice.length;
      for (const frame of slice) chars -= frame.length;
      if (taken === waiting.length || taken > MOST_FRAMES) {
        waiting = waiting.slice(taken);
        taken = 0;
      }
      return slice;
    },
    size,
    isFull: () => holds(1),
    isLow: () => !holds(0.5),
  };
}
