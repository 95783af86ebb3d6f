import type { FaultEndpoint } from "../../packages/exchange/src/faults/fault-endpoint.ts";
import { faultKinds } from "../../packages/exchange/src/faults/fault-plan.ts";
import type { FaultKind } from "../../packages/exchange/src/faults/fault.ts";
import { drawFault, type Scenery } from "./draw-fault.ts";
import { Random } from "./random.ts";
import type { FaultOrder, FillSource, Kill, RunPlan } from "./run-plan.ts";

const KINDS = Object.keys(faultKinds) as FaultKind[];

/** Range of a run's live time, in the world's seconds. */
const LIVE_SECONDS = [60, 90] as const;

/** The run of a seed. Kinds of faults rotate: `KINDS.length` consecutive seeds have each kind at least twice. */
export function drawRun(seed: number, [least, most]: readonly [number, number] = LIVE_SECONDS): RunPlan {
  const random = new Random(seed);
  const source = random.pick<FillSource>(["chain", "chain", "chain_and_rtds", "data", "data_then_chain"]);
  const hasKalshiKey = random.chance(0.6);
  const liveSeconds = random.whole(least, most);
  const faultsFromSeconds = random.chance(0.3) ? 0 : random.whole(5, 20);
  const seconds = liveSeconds - faultsFromSeconds;
  const endpoints = endpointsOf(source, hasKalshiKey);
  const faults = drawFaults(random, seed, { endpoints, source, fromSeconds: faultsFromSeconds, seconds });
  return {
    seed,
    source,
    hasKalshiKey,
    world: {
      days: random.pick([1, 1, 1.5]) / 48,
      events: random.whole(4, 9),
      wallets: random.whole(60, 150),
      kalshi_markets: random.whole(6, 14),
      activity: random.whole(2, 6) / 2,
    },
    liveSeconds,
    faults: { seed, faults },
    kills: drawKills(random, source, liveSeconds),
  };
}

function endpointsOf(source: FillSource, hasKalshiKey: boolean): FaultEndpoint[] {
  return [
    "gamma",
    "clob",
    "ws",
    "kalshi",
    ...(source.startsWith("data") ? (["data"] as const) : []),
    ...(source === "data" ? [] : (["rpc"] as const)),
    ...(source === "chain_and_rtds" ? (["rtds"] as const) : []),
    ...(hasKalshiKey ? (["kalshi_ws"] as const) : []),
  ];
}

function drawFaults(random: Random, seed: number, scenery: Scenery): FaultOrder[] {
  const count = random.whole(2, 6);
  const turn = [KINDS[seed % KINDS.length], KINDS[(seed * 7 + 3) % KINDS.length]];
  const wanted = [...turn.filter((kind) => kind !== undefined), ...random.shuffled(KINDS)];
  const faults: FaultOrder[] = [];
  for (const kind of new Set(wanted)) {
    if (faults.length === count) break;
    const fault = drawFault(random, kind, scenery);
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
}

function drawKills(random: Random, source: FillSource, liveSeconds: number): Kill[] {
  const count = Math.max(source === "data_then_chain" ? 1 : 0, random.pick([0, 1, 1, 2, 2, 3, 4]));
  return Array.from({ length: count }, () => {
    const isWhileStarting = random.chance(0.15);
    return {
      at: isWhileStarting ? "start" : "moment",
      afterSeconds: isWhileStarting ? random.whole(1, 3) : random.whole(5, Math.ceil(liveSeconds / (count + 1))),
      whole: random.chance(0.3),
      isRestartedAtOnce: random.chance(0.5),
    };
  });
}
