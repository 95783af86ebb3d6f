import type { ChartMark } from "../../charts/candles.ts";
import { groupDecimal } from "../../read/exact-figures.ts";

/** A row of dataset 596. */
export type JumpRow = {
  readonly jump_time: string;
  readonly token_id: string;
  readonly price_before: string;
  readonly price_after: string;
  readonly change_pct: string;
  readonly direction: string;
  readonly volume: string;
  readonly trade_count: number;
  readonly reverted: boolean | null;
  readonly posts_near: number | null;
};

/** A row of dataset 585. */
export type PostRow = {
  readonly id: string;
  readonly content: string;
  readonly username: string;
  readonly url: string;
  readonly indexed_at: string;
  readonly source: string;
  readonly sentiment: string | null;
  readonly stance: string;
};

/** A price jump or a post, with its time. */
export type Happening =
  | { readonly kind: "jump"; readonly id: string; readonly at: number; readonly jump: JumpRow }
  | { readonly kind: "post"; readonly id: string; readonly at: number; readonly post: PostRow };

const secondsOf = (iso: string): number => Math.floor(Date.parse(iso) / 1000);

/** Jumps and posts of a range, newest first. */
export function happeningsOf(jumps: readonly JumpRow[], posts: readonly PostRow[], from: number): Happening[] {
  const all: Happening[] = [
    ...jumps.map((jump) => ({
      kind: "jump" as const,
      id: `jump ${jump.token_id} ${jump.jump_time}`,
      at: secondsOf(jump.jump_time),
      jump,
    })),
    ...posts.map((post) => ({
      kind: "post" as const,
      id: `post ${post.source} ${post.id}`,
      at: secondsOf(post.indexed_at),
      post,
    })),
  ];
  return all
    .filter(({ at }) => at >= from)
    .sort((left, right) => right.at - left.at || left.id.localeCompare(right.id));
}

/** The same events as marks of a chart. */
export function marksOf(happenings: readonly Happening[]): ChartMark[] {
  return happenings.map((one) =>
    one.kind === "jump"
      ? {
          id: one.id,
          time: one.at,
          kind: one.jump.direction === "up" ? "up" : "down",
          text: `${groupDecimal(one.jump.change_pct)} %`,
        }
      : { id: one.id, time: one.at, kind: "post", text: one.post.username },
  );
}
