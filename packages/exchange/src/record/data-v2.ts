import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { lazy } from "./lazy.ts";
import type { RecordedReply, Recording } from "./recording.ts";

const FOLDER = "polymarket/data_api_v2";

interface Page {
  path: string;
  file: string;
  /** Request parameter that must name what the rows are about, and the rows' field for it. */
  anchor?: { param: string; field: string };
}

const PAGES: readonly Page[] = [
  { path: "/v2/activity", file: "activity.json", anchor: { param: "user", field: "proxy_wallet" } },
  {
    path: "/v2/activity/combos",
    file: "activity_combos.trimmed.json",
    anchor: { param: "user", field: "proxy_wallet" },
  },
  { path: "/v2/positions", file: "positions.json", anchor: { param: "user", field: "proxy_wallet" } },
  { path: "/v2/trades", file: "trades.partial.json", anchor: { param: "user", field: "proxy_wallet" } },
  { path: "/v2/leaderboard", file: "leaderboard.json" },
];

/** The file does not say whose statistics it holds; they are given for the wallet of the recorded activity. */
const STATS_USER = "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b";
/** Condition of the recorded holders' tokens is not in the file; it is found by its tokens. */
const HOLDERS_PARAM = "token_id";

/**
 * Data API v2 replies of 2026-09-08: activity, positions, trades and statistics of one wallet each, the leaderboard, and
 * holders (asked for by `token_id`, since the file does not say the condition). One page each, so `has_more` is false.
 */
export function dataV2(dir: string): Recording {
  const load = lazy(() => readAll(dir));
  return {
    name: "data-api-v2",
    service: "data",
    async answer({ method, path, query }) {
      if (method !== "GET" || !path.startsWith("/v2/")) return undefined;
      const files = await load();
      const user = query.get("user")?.toLowerCase();
      if (path === "/v2/user-stats" && user === STATS_USER) return { body: { data: files.stats } };
      if (path === "/v2/holders") return holders(files.holders, query);
      const page = PAGES.find((item) => item.path === path);
      const rows = page && (files.pages.get(page) ?? []);
      if (!page || !rows) return undefined;
      const { anchor } = page;
      const found = anchor ? rows.filter((row) => row[anchor.field] === query.get(anchor.param)?.toLowerCase()) : rows;
      return found.length === 0 ? undefined : envelope(found);
    },
  };
}

type Row = Record<string, unknown>;

async function readAll(dir: string) {
  const read = async (file: string) => JSON.parse(await readFile(join(dir, FOLDER, file), "utf8")) as Row[];
  const pages = await Promise.all(PAGES.map(async (page) => [page, await read(page.file)] as const));
  return {
    pages: new Map(pages),
    holders: await read("holders.json"),
    stats: await read("user_stats.partial.json"),
  };
}

function holders(rows: Row[], query: URLSearchParams): RecordedReply | undefined {
  const found = rows.filter((row) => row["token_id"] === query.get(HOLDERS_PARAM));
  return found.length === 0 ? undefined : envelope(found);
}

function envelope(rows: Row[]): RecordedReply {
  return {
    body: { data: rows, pagination: { limit: rows.length, offset: 0, has_more: false, next_cursor: null } },
  };
}
