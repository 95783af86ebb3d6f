import { useEffect, useEffectEvent, useState, type ReactElement } from "react";
import { showTimestamp } from "../../read/value-text.ts";
import { Button } from "../../ui/button.tsx";

const SETTLED_MS = 200;
const PLAY_MS = 900;
const PLAY_STEPS = 60;

type Props = {
  /** Unix ms. */
  readonly from: number;
  readonly to: number;
  /** The time shown; undefined: the newest. */
  readonly at: number | undefined;
  readonly onAt: (at: number | undefined) => void;
  /** A response is pending: playback waits for it. */
  readonly isBusy: boolean;
};

/** Selects a time of the stored history by dragging, keys or playback. */
export function TimeSlider({ from, to, at, onAt, isBusy }: Props): ReactElement {
  const [dragged, setDragged] = useState<number>();
  const [isPlaying, setIsPlaying] = useState(false);
  const shown = dragged ?? at ?? to;
  const isNewest = at === undefined && dragged === undefined;
  const choose = (timestamp: number | undefined): void => {
    onAt(timestamp);
    setDragged(undefined);
  };
  const report = useEffectEvent(choose);
  const step = useEffectEvent(() => {
    if (isBusy) return;
    const next = (at ?? from) + (to - from) / PLAY_STEPS;
    if (next >= to) {
      setIsPlaying(false);
      onAt(undefined);
    } else onAt(Math.round(next));
  });

  useEffect(() => {
    if (dragged === undefined) return;
    const timer = setTimeout(() => report(dragged), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [dragged]);

  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => step(), PLAY_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);

  const play = (): void => {
    if (!isPlaying && (at === undefined || at >= to)) onAt(from);
    setIsPlaying(!isPlaying);
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button isSmall onClick={play} aria-pressed={isPlaying}>
        {isPlaying ? "Pause" : "Play"}
      </Button>
      <input
        type="range"
        aria-label="Time of the book"
        aria-valuetext={isNewest ? "now" : showTimestamp(shown)}
        className="min-w-40 flex-1 accent-accent"
        min={from}
        max={to}
        step={Math.max(1000, Math.round((to - from) / 1000))}
        value={Math.min(Math.max(shown, from), to)}
        onChange={(event) => {
          setIsPlaying(false);
          setDragged(Number(event.currentTarget.value));
        }}
      />
      <Button isSmall onClick={() => choose(undefined)} disabled={isNewest}>
        Now
      </Button>
      <output className="w-full text-[13px] text-ink-soft tabular-nums sm:w-auto" title={new Date(shown).toISOString()}>
        {isNewest ? "Now" : showTimestamp(shown)}
      </output>
    </div>
  );
}
