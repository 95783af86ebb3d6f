import { setTimeout as sleep } from "node:timers/promises";
import type { World } from "../../packages/exchange/src/world/world.ts";
import { fillsOf } from "../verify/fills.ts";
import type { Door } from "./ask-once.ts";

/** What was answered about ranges in which every row is known and nothing changes any more. */
export type Holes = {
  readonly asked: number;
  /** Every row, once. */
  readonly right: number;
  /** Not answered: an error, a timeout. */
  readonly refused: number;
  /** Rows were left out, and it was said that they may be. */
  readonly said: number;
  /** Rows were left out or told twice, and nothing was said. Must be none. */
  readonly silent: readonly string[];
};

type Kind = { readonly agentId: number; readonly idOf: string; readonly times: readonly number[] };
type Range = { readonly kind: Kind; readonly from: number; readonly to: number; readonly rows: number };
type Body = { data: { results: Record<string, unknown>[] }; coverage: { complete: boolean; reasons?: string[] } };

const EVERY_MS = 150;
const MOST_ROWS = 900;
const LIMIT = 1000;

/** Asks every process in turn for ranges of what is stored by now, until stopped. */
export function watchSettledRanges(options: {
  readonly world: World;
  readonly doors: readonly Door[];
  readonly key: string;
}): { readonly stop: () => Promise<Holes> } {
  const { doors, key } = options;
  const kinds = kindsOf(options.world);
  const counts = { asked: 0, right: 0, refused: 0, said: 0 };
  const silent: string[] = [];
  const stopping = new AbortController();
  const look = async (turn: number): Promise<void> => {
    const range = drawRange(kinds[turn % kinds.length]);
    const door = doors[turn % doors.length];
    if (range === undefined || door === undefined) return;
    const params = { start_time: String(range.from), end_time: String(range.to) };
    const answer = await door.ask(key, { agentId: range.kind.agentId, params, limit: LIMIT });
    counts.asked += 1;
    if (answer.problem !== undefined) counts.refused += 1;
    else {
      const verdict = judge(range, JSON.parse(answer.bytes.toString("utf8")) as Body);
      if (verdict === "right" || verdict === "said") counts[verdict] += 1;
      else silent.push(`${door.name}: ${verdict}`);
    }
  };
  const looking = (async () => {
    const under = new Set<Promise<void>>();
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const one = look(turn).finally(() => under.delete(one));
      under.add(one);
      await sleep(EVERY_MS);
    }
    await Promise.all(under);
  })();
  return {
    stop: async () => {
      stopping.abort();
      await looking;
      return { ...counts, silent };
    },
  };
}

function judge({ kind, from, to, rows }: Range, { data, coverage }: Body): string {
  const ids = new Set(data.results.map((row) => String(row[kind.idOf])));
  const where = `${kind.agentId} from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
  if (ids.size !== data.results.length) return `${where} told ${data.results.length - ids.size} rows twice`;
  if (ids.size > rows) return `${where} told ${ids.size} rows of ${rows}`;
  if (ids.size === rows) return "right";
  return coverage.complete ? `${where} told ${ids.size} of ${rows} rows and called it complete` : "said";
}

/** By moment, oldest first, of what a perfect collector holds now. */
function kindsOf(world: World): readonly Kind[] {
  const fills = fillsOf(world, "chain").map(({ match }) => match.block_ms);
  return [
    { agentId: 556, idOf: "id", times: fills.toSorted((a, b) => a - b) },
    { agentId: 573, idOf: "trade_id", times: world.kalshi.trades.map(({ ms }) => ms).toSorted((a, b) => a - b) },
  ];
}

/** Its bounds lie between moments of rows, so that it does not matter whether they are inclusive. */
function drawRange(kind: Kind | undefined): Range | undefined {
  const times = kind?.times ?? [];
  const edges = times.flatMap((ms, place) => (place > 0 && ms - (times[place - 1] ?? ms) > 2 ? [place] : []));
  const first = edges[Math.floor(Math.random() * edges.length)];
  if (kind === undefined || first === undefined) return undefined;
  const ends = edges.filter((place) => place > first && place - first <= MOST_ROWS);
  const last = ends[Math.floor(Math.random() * ends.length)];
  if (last === undefined) return undefined;
  return { kind, from: (times[first] ?? 0) - 1, to: (times[last - 1] ?? 0) + 1, rows: last - first };
}
