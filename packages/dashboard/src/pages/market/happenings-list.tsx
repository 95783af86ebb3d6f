import type { ReactElement } from "react";
import { Figure, Timestamp } from "../../read/values.tsx";
import { safeLink } from "../../read/value-text.ts";
import { Badge } from "../../ui/indicators.tsx";
import type { Happening, JumpRow, PostRow } from "./happenings.ts";

function Jump({ jump }: { readonly jump: JumpRow }): ReactElement {
  return (
    <>
      <span className={jump.direction === "up" ? "text-up" : "text-down"}>
        {jump.direction === "up" ? "▲" : "▼"} <Figure value={jump.change_pct} unit="%" />
      </span>{" "}
      <Figure value={jump.price_before} /> → <Figure value={jump.price_after} />
      <span className="block text-xs text-ink-faint">
        <Figure value={jump.volume} unit="shares" /> in {jump.trade_count} {jump.trade_count === 1 ? "trade" : "trades"}
        {jump.posts_near === null ? "" : ` · ${jump.posts_near} posts within an hour`}
        {jump.reverted === true ? " · at least half reverted" : ""}
      </span>
    </>
  );
}

function Post({ post }: { readonly post: PostRow }): ReactElement {
  return (
    <>
      <span className="text-chart-3">●</span> <span className="font-medium">{post.username}</span> on {post.source}
      {post.stance === "none" ? null : <Badge>{post.stance.replace("_", " ")}</Badge>}
      <span className="line-clamp-3 text-[13px] text-ink-soft [overflow-wrap:anywhere]">{post.content}</span>
    </>
  );
}

type Props = {
  readonly happenings: readonly Happening[];
  readonly cuts: readonly string[];
  readonly active: string | null;
  readonly onActive: (id: string | null) => void;
};

/** Jumps and posts next to the chart; pointing at one highlights its mark. */
export function HappeningsList({ happenings, cuts, active, onActive }: Props): ReactElement {
  if (happenings.length === 0)
    return <p className="text-sm text-ink-faint">No jump this large and no post in the range.</p>;
  return (
    <ol aria-label="Jumps and posts, the newest first" className="max-h-96 space-y-1 overflow-y-auto pr-1 text-sm">
      {happenings.map((one) => (
        <li key={one.id} className={`rounded-lg px-2 py-1.5 ${active === one.id ? "bg-accent-soft" : ""}`}>
          <button
            type="button"
            className="block w-full text-left"
            aria-pressed={active === one.id}
            onMouseEnter={() => onActive(one.id)}
            onMouseLeave={() => onActive(null)}
            onFocus={() => onActive(one.id)}
            onBlur={() => onActive(null)}
            onClick={() => onActive(one.id)}
          >
            {one.kind === "jump" ? <Jump jump={one.jump} /> : <Post post={one.post} />}
          </button>
          <span className="text-xs text-ink-faint">
            <Timestamp at={new Date(one.at * 1000).toISOString()} />
            {one.kind === "post" && safeLink(one.post.url) ? (
              <>
                {" · "}
                <a
                  href={safeLink(one.post.url)}
                  target="_blank"
                  rel="noopener noreferrer"
                  className="text-accent underline"
                >
                  open
                </a>
              </>
            ) : null}
          </span>
        </li>
      ))}
      {cuts.map((cut) => (
        <li key={cut} className="px-2 text-xs text-ink-faint">
          {cut}
        </li>
      ))}
    </ol>
  );
}
