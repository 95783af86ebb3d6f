import { z } from "zod";
import { wrongShape } from "../../definition/wrong-shape.ts";
import type { Arrival } from "./arrival-queue.ts";
import type { SocketRun } from "./socket-run.ts";

/** Keeps what a session could not read; the session goes on. */
export function parkArrival(run: SocketRun, arrival: Arrival, error: unknown): void {
  const { connector, metrics, park, log } = run;
  const body = arrival.kind === "frame" ? arrival.text : JSON.stringify(arrival.kind === "state" ? arrival.state : "");
  metrics.frames.inc({ stream: connector.name, outcome: "unreadable" });
  metrics.changed.inc({ host: connector.host.name, route: "socket", stream: connector.name });
  const found =
    error instanceof z.core.$ZodError
      ? wrongShape(error, parsed(body))
      : { field: "(the whole frame)", problem: String(error).slice(0, 300), sample: body.slice(0, 200) };
  log.error({ err: error, stream: connector.name, ...found }, "a frame of a wrong shape is parked");
  const page = { stream: connector.name, host: connector.host.name, route: "socket", path: connector.path };
  park({ ...page, ...found, body }).catch((failure: unknown) =>
    log.error({ err: failure, stream: connector.name }, "a frame could not be parked"),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
