import type { FastifyPluginAsync, FastifyReply } from "fastify";
import type { World } from "../../world/world.ts";
import { commaList, numeric, one, type Query } from "../query-values.ts";
import { walletActivities } from "./activity-answer.ts";
import { type Activity, activityRowV1 } from "./activity-row.ts";
import { tradeRowV1 } from "./leg-row.ts";
import { positionRowV1 } from "./position-row.ts";
import { isMergeable } from "./positions-answer.ts";
import { holdingsValue } from "./user-answers.ts";
import { walkTrades } from "./walk-trades.ts";

/** How the old lists behave beyond the rows they reach. */
export interface V1Options {
  /** "repeat": offsets of 1,000 and more give the same page (late 2025). "error": above 3,000 is a 400 (2026). */
  offset_mode: "repeat" | "error";
  visible_seconds: () => number;
}

type App = Parameters<FastifyPluginAsync>[0];
type Ask = { Querystring: Query };

/** The Data API v1: camelCase, bare arrays, comma-separated lists, limits clamped in silence. */
export function mountV1(app: App, world: World, options: V1Options): void {
  mountFeeds(app, world, options);
  mountHoldings(app, world);
}

function mountFeeds(app: App, world: World, options: V1Options): void {
  app.get<Ask>("/trades", async ({ query }, reply) => {
    const offset = readOffset(query, options.offset_mode);
    if (offset === undefined) return tooFar(reply);
    const least = readLeast(query);
    if (least === undefined) return fail(reply, "filterType and filterAmount must be provided together");
    const conditions = conditionsOf(world, query);
    if (conditions === undefined) return fail(reply, "market and eventId are mutually exclusive");
    const side = one(query, "side")?.toUpperCase();
    const question = {
      user: one(query, "user")?.toLowerCase(),
      conditions,
      side: side === "BUY" || side === "SELL" ? side : undefined,
      taker_only: one(query, "takerOnly") !== "false",
      ...least,
      from: 0,
      to: options.visible_seconds(),
    } as const;
    const limit = readLimit(query, 100, 1000);
    const rows: unknown[] = [];
    let place = 0;
    for (const leg of walkTrades(world, question)) {
      if (rows.length === limit) break;
      if (place >= offset) rows.push(tradeRowV1(world, leg));
      place += 1;
    }
    return rows;
  });
  app.get<Ask>("/activity", async ({ query }, reply) => {
    const user = one(query, "user")?.toLowerCase();
    if (user === undefined) return fail(reply, "required query param 'user' not provided");
    const offset = readOffset(query, options.offset_mode);
    if (offset === undefined) return tooFar(reply);
    const types = commaList(query, "type").map((type) => type.toUpperCase());
    const conditions = conditionsOf(world, query);
    if (conditions === undefined) return fail(reply, "market and eventId are mutually exclusive");
    const to = Math.min(numeric(query, "end") ?? Number.POSITIVE_INFINITY, options.visible_seconds());
    const filter = {
      conditions,
      types,
      side: one(query, "side")?.toUpperCase(),
      from: numeric(query, "start") ?? 0,
      to,
    };
    const found = walletActivities(world, user, filter);
    sortActivities(found, one(query, "sortBy"));
    if (one(query, "sortDirection")?.toUpperCase() !== "ASC") found.reverse();
    return found.slice(offset, offset + readLimit(query, 100, 500)).map((item) => activityRowV1(world, item));
  });
}

function mountHoldings(app: App, world: World): void {
  app.get<Ask>("/positions", async ({ query }, reply) => {
    const user = one(query, "user")?.toLowerCase();
    if (user === undefined) return fail(reply, "required query param 'user' not provided");
    const offset = numeric(query, "offset") ?? 0;
    if (!(offset <= 10_000)) return fail(reply, "max offset of 10000 exceeded");
    const least = (numeric(query, "sizeThreshold") ?? 1) * 1_000_000;
    const markets = new Set(commaList(query, "market"));
    const held = world.polymarket
      .holdingsOf(user)
      .filter((holding) => holding.shares_micro > 0 && holding.shares_micro >= least)
      .filter((holding) => markets.size === 0 || markets.has(holding.market.condition_id))
      .sort((left, right) => right.shares_micro - left.shares_micro);
    return held
      .slice(offset, offset + readLimit(query, 100, 500))
      .map((holding) => positionRowV1(holding, isMergeable(world, holding)));
  });
  app.get<Ask>("/closed-positions", async ({ query }, reply) => {
    const user = one(query, "user")?.toLowerCase();
    if (user === undefined) return fail(reply, "required query param 'user' not provided");
    const offset = numeric(query, "offset") ?? 0;
    if (!(offset <= 100_000)) return fail(reply, "max offset of 100000 exceeded");
    const closed = world.polymarket
      .holdingsOf(user)
      .filter((holding) => holding.shares_micro === 0)
      .sort((left, right) => right.realized_pnl_micro - left.realized_pnl_micro);
    return closed.slice(offset, offset + readLimit(query, 10, 50)).map((holding) => {
      const { size: _size, ...row } = positionRowV1(holding, false);
      return Object.assign(row, { timestamp: Math.floor(holding.last_ms / 1000) });
    });
  });
  app.get<Ask>("/value", async ({ query }, reply) => {
    const user = one(query, "user")?.toLowerCase();
    if (user === undefined) return fail(reply, "required query param 'user' not provided");
    return [{ user, value: holdingsValue(world, user) }];
  });
}

function sortActivities(items: Activity[], sortBy: string | undefined): void {
  const key = sortBy?.toUpperCase();
  if (key === "TOKENS") items.sort((left, right) => left.shares_micro - right.shares_micro);
  if (key === "CASH") items.sort((left, right) => left.usd_micro - right.usd_micro);
}

function readOffset(query: Query, mode: "repeat" | "error"): number | undefined {
  const offset = Math.max(0, numeric(query, "offset") ?? 0);
  if (mode === "repeat") return Math.min(offset, 1000);
  return offset <= 3000 ? offset : undefined;
}

function readLimit(query: Query, usual: number, most: number): number {
  const limit = numeric(query, "limit") ?? usual;
  return Number.isInteger(limit) && limit >= 0 ? Math.min(limit, most) : usual;
}

function readLeast(query: Query): { least_shares_micro: number; least_usd_micro: number } | undefined {
  const type = one(query, "filterType")?.toUpperCase();
  const amount = numeric(query, "filterAmount");
  if ((type === undefined) !== (amount === undefined)) return undefined;
  const micro = (amount ?? 0) * 1_000_000;
  return type === "CASH"
    ? { least_shares_micro: 0, least_usd_micro: micro }
    : { least_shares_micro: micro, least_usd_micro: 0 };
}

function conditionsOf(world: World, query: Query): string[] | undefined {
  const markets = commaList(query, "market").map((id) => id.toLowerCase());
  const events = commaList(query, "eventId");
  if (markets.length > 0 && events.length > 0) return undefined;
  if (events.length === 0) return markets;
  const found = events.flatMap((id) => world.polymarket.event(id)?.markets ?? []).map((market) => market.condition_id);
  return found.length === 0 ? ["none"] : found;
}

function tooFar(reply: FastifyReply): FastifyReply {
  return fail(reply, "max historical activity offset of 3000 exceeded");
}

function fail(reply: FastifyReply, error: string): FastifyReply {
  return reply.code(400).send({ error });
}
