import type { AddressInfo } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { z } from "zod";
import type { ReorgShares } from "../polymarket/chain/block-members.ts";
import type { ReorgChain } from "../polymarket/chain/reorg-chain.ts";
import {
  canonicalRow,
  toOperationTruth,
  toResolutionTruth,
  toTransferTruth,
  toKalshiTradeTruth,
  toMatchTruth,
  toTalkRow,
} from "./truth-rows.ts";
import { addFaultRoutes } from "../faults/add-fault-routes.ts";
import type { Faults } from "../faults/faults.ts";
import type { World } from "../world/world.ts";
import type { PaperClock } from "./paper-clock.ts";
import type { DayUsage } from "../social/x/app-usage.ts";
import { firstIndex } from "../world/first-index.ts";

const PAGE_ROWS = 5_000;
const YEAR_MS = 366 * 86_400_000;

const page = z.object({
  since_sequence: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(PAGE_ROWS).default(1000),
});

const order = z
  .strictObject({ to_ms: z.int().positive().optional(), speed: z.number().min(0).max(1_000_000).optional() })
  .refine((value) => value.to_ms !== undefined || value.speed !== undefined, "to_ms or speed is needed");

const share = z.number().min(0).max(1);
const depth = z.strictObject({
  depth: z.int().min(1).max(32),
  moved_share: share.default(0.2),
  dropped_share: share.default(0.02),
});

interface ControlOptions {
  world: World;
  clock: PaperClock;
  faults: Faults;
  /** Replaces the newest blocks of the Polygon node; returns how many. */
  reorg: (depth: number, shares: ReorgShares) => number;
  /** The chain as the node sees it: truth rows get their positions after its reorgs. */
  chain: Pick<ReorgChain, "placeOf">;
  /** Billed X API usage by day, with its price. */
  x_usage: () => readonly DayUsage[];
  host: string;
  port: number;
}

/** Control API through which tests read the ground truth and move the clock. Not part of any exchange. */
export async function serveControl(options: ControlOptions): Promise<{ control_url: string; close(): Promise<void> }> {
  const app = fastify({ forceCloseConnections: true });
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof z.ZodError) return reply.code(400).send({ error: z.prettifyError(error) });
    const status = (error as { statusCode?: number }).statusCode ?? 500;
    return reply.code(status).send({ error: error instanceof Error ? error.message : String(error) });
  });
  addTruth(app, options);
  addClock(app, options);
  addFaultRoutes(app, options.faults);
  app.get("/x/usage", () => ({ days: options.x_usage() }));
  app.post("/reorg", ({ body }) => {
    const requested = depth.parse(body);
    return { blocks: options.reorg(requested.depth, requested) };
  });
  await app.listen({ host: options.host, port: options.port });
  const { port } = app.server.address() as AddressInfo;
  return { control_url: `http://${options.host}:${port}`, close: async () => app.close() };
}

/** GET /truth, and lists paged by sequence: repeat with `next_sequence` until it is null. */
function addTruth(app: FastifyInstance, { world, chain }: ControlOptions): void {
  app.get("/truth", () => ({
    ...world.truth(),
    reached_ms: world.reached(),
    start_ms: world.start_ms,
    seed: world.seed,
  }));
  const { matches, operations, resolutions, transfers } = world.polymarket;
  app.get("/truth/fills", ({ query }) => pageOf(matches, query, (each) => canonicalRow(toMatchTruth(each), chain)));
  app.get("/truth/operations", ({ query }) =>
    pageOf(operations, query, (each) => canonicalRow(toOperationTruth(each), chain)),
  );
  app.get("/truth/resolutions", ({ query }) =>
    pageOf(resolutions, query, (each) => canonicalRow(toResolutionTruth(each), chain)),
  );
  app.get("/truth/transfers", ({ query }) =>
    pageOf(transfers, query, (each) => canonicalRow(toTransferTruth(each), chain)),
  );
  app.get("/truth/kalshi-trades", ({ query }) =>
    pageOf(world.kalshi.trades, query, (trade) => toKalshiTradeTruth(trade)),
  );
  app.get("/truth/talk", ({ query }) => pageOf(world.talk, query, toTalkRow));
  app.get("/truth/jumps", () => ({ jumps: world.jumps() }));
  app.get("/truth/wallets", () => ({ wallets: world.walletTruth() }));
}

function pageOf<T extends { seq: number }>(list: readonly T[], query: unknown, toRow: (item: T) => object) {
  const { since_sequence, limit } = page.parse(query);
  const start = firstIndex(list, since_sequence, (item) => item.seq);
  const items = list.slice(start, start + limit);
  const next = list[start + limit];
  return { rows: items.map(toRow), next_sequence: next?.seq ?? null };
}

/** GET /clock; POST /clock {to_ms} runs the world up to that time, {speed} changes the pace (0 pauses it). */
function addClock(app: FastifyInstance, { world, clock }: ControlOptions): void {
  const state = () => ({ now_ms: clock.now(), reached_ms: world.reached(), speed: clock.speed });
  app.get("/clock", state);
  app.post("/clock", ({ body }, reply) => {
    const { to_ms, speed } = order.parse(body);
    if (to_ms !== undefined && to_ms > clock.now() + YEAR_MS) {
      return reply.code(400).send({ error: "to_ms is more than a year ahead" });
    }
    if (speed !== undefined) clock.setSpeed(speed);
    if (to_ms !== undefined) clock.jumpTo(to_ms);
    world.advanceTo(clock.now());
    return state();
  });
}
