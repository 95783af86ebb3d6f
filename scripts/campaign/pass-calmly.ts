import { setTimeout as sleep } from "node:timers/promises";
import type { ServedExchange } from "../../packages/exchange/src/serve.ts";
import type { MachineClock } from "./machine-clock.ts";
import type { ServiceProcess } from "./service-process.ts";

/** A jump; below the silence after which a socket counts as frozen. */
const STEP_MS = 20_000;
const LOOK_MS = 60;
/** Of real time, at most a step: what is not done by then is waited for when the world stands still. */
const LONGEST_STEP_MS = 400;

/**
 * The world goes on without faults for so long, in steps, each as soon as the streams rest: what a stream says only of
 * what lies some minutes behind its newest row, it cannot say in a world that stands still.
 */
export async function passCalmly(
  ms: number,
  run: { readonly exchange: ServedExchange; readonly clock: MachineClock; readonly service: ServiceProcess },
): Promise<void> {
  const { exchange, clock, service } = run;
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    service.follow(clock.jump(STEP_MS));
    exchange.clock.jumpTo(exchange.clock.now() + STEP_MS);
    const until = performance.now() + LONGEST_STEP_MS;
    do await sleep(LOOK_MS);
    while (performance.now() < until && (await isBusy(service)));
  }
}

async function isBusy(service: ServiceProcess): Promise<boolean> {
  const told = await service.status();
  return told?.status.streams.some(({ state }) => state === "running") ?? false;
}
