import type { z } from "zod";
import type { Call } from "../../definition/connector.ts";
import type { Listener, ListenOptions } from "../../definition/listen.ts";
import { openConnection, type Connection, socketUrl } from "../socket/connection.ts";
import { pathOf, type Asking } from "./ask-upstream.ts";
import { createFrameReader } from "./frame-reader.ts";
import { UpstreamUnreachable } from "./upstream-errors.ts";

/** Queued frames. It never rejects one: `isFull` says that reading should pause. */
type FrameQueue = {
  readonly put: (frame: string) => void;
  readonly take: (count: number) => readonly string[];
  readonly size: () => number;
  readonly isFull: () => boolean;
  /** At most half full. */
  readonly isLow: () => boolean;
};

const MAX_FRAMES = 20_000;
const MAX_CHARS = 32 * 1024 * 1024;

function createFrameQueue(): FrameQueue {
  let waiting: string[] = [];
  let taken = 0;
  let chars = 0;
  const size = (): number => waiting.length - taken;
  const holds = (share: number): boolean => size() > MAX_FRAMES * share || chars > MAX_CHARS * share;
  return {
    put: (frame) => {
      waiting.push(frame);
      chars += frame.length;
    },
    take: (count) => {
      const slice = waiting.slice(taken, taken + count);
      taken += slice.length;
      for (const frame of slice) chars -= frame.length;
      if (taken === waiting.length || taken > MAX_FRAMES) {
        waiting = waiting.slice(taken);
        taken = 0;
      }
      return slice;
    },
    size,
    isFull: () => holds(1),
    isLow: () => !holds(0.5),
  };
}

/** How long frames are batched, so that the store gets few large inserts. */
const GATHER_MS = 500;
const MAX_AT_ONCE = 5000;
const HANDSHAKE_MS = 10_000;
/** Default if the host sets none. */
const MAX_FRAME_BYTES = 4 * 1024 * 1024;
/** A frame older than this on arrival belongs to the venue's history. */
const LIVE_MS = 30_000;

/** See `Feed.listen`. One connection: the caller reconnects with a newer cursor when it ends. */
export async function* listen<T extends z.ZodType>(
  asking: Asking,
  call: Call,
  frame: T,
  options: ListenOptions,
): AsyncGenerator<Listener<z.output<T>>, void, void> {
  const { clock, signal, venueNow = clock.now } = asking;
  const queue = createFrameQueue();
  const path = pathOf(call);
  const received = { at: venueNow() };
  const connection = await connect(asking, call, options, queue, received);
  let why: string | undefined;
  const ended = connection.closed.then((reason) => (why = reason));
  const read = createFrameReader(asking, { route: call.route, path }, frame, options);
  try {
    for (;;) {
      if (queue.size() < MAX_AT_ONCE) await Promise.race([clock.sleep(GATHER_MS, signal), ended]);
      signal.throwIfAborted();
      const frames = queue.take(MAX_AT_ONCE);
      const isDrained = queue.size() === 0;
      const at = received.at;
      if (queue.isLow()) connection.resume();
      if (frames.length > 0) {
        const found = await read(frames, at);
        yield { ...found, isLive: isDrained && found.span !== undefined && at - found.span.to <= LIVE_MS };
      } else if (why !== undefined) throw new UpstreamUnreachable(asking.host.name, call.path, why);
    }
  } finally {
    connection.end("the walk ended");
  }
}

async function connect(
  { host, stream, baseUrl, budget, priority, signal, clock, metrics, ...asking }: Asking,
  call: Call,
  { silentAfterSeconds }: ListenOptions,
  queue: FrameQueue,
  received: { at: number },
): Promise<Connection> {
  const { venueNow = clock.now } = asking;
  const path = pathOf(call);
  const labels = { host: host.name, route: call.route };
  await budget.take(call.route, call.cost ?? 1, priority, signal);
  let connection: Connection | undefined;
  const onFrame = (text: string): void => {
    metrics.frames.inc({ stream, outcome: "received" });
    received.at = venueNow();
    queue.put(text);
    if (queue.isFull()) connection?.pause();
  };
  try {
    connection = await openConnection({
      url: `${socketUrl(baseUrl, call.path)}${path.slice(call.path.length)}`,
      headers: { ...host.headers },
      clock,
      venueNow,
      handshakeMs: HANDSHAKE_MS,
      maxPayloadBytes: host.maxBytes ?? MAX_FRAME_BYTES,
      silentAfterMs: silentAfterSeconds * 1000,
      // Pings prove that the host is alive, not that it still sends events.
      isData: () => true,
      onFrame,
    });
  } catch (error) {
    metrics.calls.inc({ ...labels, outcome: "unreachable" });
    throw new UpstreamUnreachable(host.name, call.path, error instanceof Error ? error.message : String(error), error);
  }
  metrics.calls.inc({ ...labels, outcome: "listening" });
  return connection;
}
