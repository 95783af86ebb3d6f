import type { WebSocket } from "ws";
import type { FaultEndpoint } from "../fault-endpoint.ts";
import type { Running, Storm } from "../storm.ts";
import { driftRow, skewStamps } from "../alter-json.ts";
import { isJsonObject, type JsonObject, readJson } from "../json-object.ts";

/** Maximum time a frame is held back for reordering before it is sent alone, wall ms. */
const HELD_MS = 1000;

/** Fault kinds that require parsing the frame. */
const FRAME_KINDS = ["drop_frames", "corrupt_frame", "reorder_frames", "duplicate_frames", "drift", "skew"] as const;

type Send = (text: string) => void;

/** Applies faults to the frames of one connection. */
export class FrameFaults {
  readonly #endpoint: FaultEndpoint;
  readonly #storm: Storm;
  readonly #send: Send;
  readonly #frozen = new WeakMap<Running, boolean>();
  #held: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(endpoint: FaultEndpoint, storm: Storm, send: Send) {
    this.#endpoint = endpoint;
    this.#storm = storm;
    this.#send = send;
  }

  /** Intercepts `client.send`, `ping` and `pong`. */
  static on(client: WebSocket, endpoint: FaultEndpoint, storm: Storm): void {
    const send = client.send.bind(client) as Send;
    const faults = new FrameFaults(endpoint, storm, (text) => {
      if (client.readyState === client.OPEN) send(text);
    });
    client.send = (data: unknown) => {
      if (storm.isSet && typeof data === "string") faults.pass(data);
      else send(data as string);
    };
    for (const name of ["ping", "pong"] as const) {
      const own = client[name].bind(client) as (...given: unknown[]) => void;
      client[name] = (...given: unknown[]) => {
        if (!storm.isSet || !faults.isFrozen()) own(...given);
      };
    }
    client.once("close", () => faults.close());
  }

  /**
   * Sends a frame, possibly altered or dropped by a fault. Replies to client commands are only affected by a freeze.
   */
  pass(text: string): void {
    if (this.isFrozen()) return;
    if (this.#storm.active(FRAME_KINDS, this.#endpoint).length === 0) return this.#forward(text);
    const frame = readFrame(text);
    if (frame === undefined || isAnswer(frame)) return this.#send(text);
    const name = frameName(frame);
    if (this.#strikes("drop_frames", name)) return;
    if (this.#strikes("corrupt_frame", name)) return this.#forward(text.slice(0, Math.ceil(text.length / 2)));
    const altered = alterFrame(frame, this.#storm, this.#endpoint, name) ? JSON.stringify(frame) : text;
    if (this.#held === undefined && this.#strikes("reorder_frames", name)) return this.#hold(altered);
    this.#forward(altered);
    if (this.#strikes("duplicate_frames", name)) this.#forward(altered);
  }

  /**
   * Whether a freeze suppresses all frames; drawn once per fault and connection and kept as long as the fault lasts.
   */
  isFrozen(): boolean {
    let isFrozen = false;
    for (const running of this.#storm.running) {
      if (this.#frozen.get(running) === true && this.#storm.isActive(running)) isFrozen = true;
    }
    for (const running of this.#storm.active(["freeze"], this.#endpoint)) {
      if (this.#frozen.has(running)) continue;
      const hit = this.#storm.hit(running, this.#endpoint);
      const strikes = hit.draw.chance(hit.fault.share);
      this.#frozen.set(running, strikes);
      if (strikes) hit.landed();
      isFrozen ||= strikes;
    }
    return isFrozen;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#held = undefined;
  }

  #strikes(kind: "drop_frames" | "corrupt_frame" | "reorder_frames" | "duplicate_frames", name: string): boolean {
    const hit = this.#storm.strike([kind], this.#endpoint, name);
    hit?.landed();
    return hit !== undefined;
  }

  #forward(text: string): void {
    this.#send(text);
    this.#release();
  }

  #hold(text: string): void {
    this.#held = text;
    this.#timer = setTimeout(() => this.#release(), HELD_MS).unref();
  }

  #release(): void {
    const held = this.#held;
    this.close();
    if (held !== undefined && !this.isFrozen()) this.#send(held);
  }
}

/** Changes fields, each once, and timestamps of a frame, in place. False if nothing was changed. */
function alterFrame(frame: unknown, storm: Storm, endpoint: FaultEndpoint, name: string): boolean {
  let isAltered = false;
  const fields = new Set<string>();
  for (const running of storm.active(["drift", "skew"], endpoint, name)) {
    if (running.fault.kind === "drift" && fields.has(running.fault.field)) continue;
    const hit = storm.hit(running, endpoint);
    const { fault } = hit;
    if (!hit.draw.chance(fault.share)) continue;
    const isChanged =
      fault.kind === "skew" ? skewStamps(frame, endpoint, fault.offset_seconds) : driftFrame(frame, fault, hit.draw);
    if (!isChanged) continue;
    hit.landed();
    if (fault.kind === "drift") fields.add(fault.field);
    isAltered = true;
  }
  return isAltered;
}

function driftFrame(
  frame: unknown,
  fault: Parameters<typeof driftRow>[1],
  draw: { chance(p: number): boolean },
): boolean {
  const rows: unknown[] = Array.isArray(frame) ? frame : [frame];
  return rows.map((row) => draw.chance(fault.rows_share) && driftRow(row, fault)).some(Boolean);
}

/** Types of Kalshi's command replies. */
const ANSWERS = new Set(["subscribed", "unsubscribed", "ok", "error"]);

/** Parses a frame into an object or a list of them. Undefined for PONG and other plain text. */
export function readFrame(text: string): JsonObject | unknown[] | undefined {
  const frame = readJson(text);
  return isJsonObject(frame) || Array.isArray(frame) ? frame : undefined;
}

/** Whether the frame replies to a client command (Kalshi's acknowledgement) and is not a push. */
export function isAnswer(frame: JsonObject | unknown[]): boolean {
  return !Array.isArray(frame) && ANSWERS.has(String(frame["type"]));
}

/**
 * Name for matching faults: event_type of the market channel, type of Kalshi, topic and type of RTDS
 * (`activity.trades`), kind of Jetstream with the collection and operation of a commit
 * (`commit.app.bsky.feed.post.delete`).
 */
export function frameName(frame: JsonObject | unknown[]): string {
  const first: unknown = Array.isArray(frame) ? frame[0] : frame;
  if (!isJsonObject(first)) return "";
  if (typeof first["topic"] === "string") return `${first["topic"]}.${String(first["type"])}`;
  const { commit } = first;
  if (isJsonObject(commit)) return `commit.${String(commit["collection"])}.${String(commit["operation"])}`;
  if (typeof first["kind"] === "string") return first["kind"];
  return String(first["event_type"] ?? first["type"] ?? "");
}
