import { WebSocket, type RawData } from "ws";
import type { Clock } from "../clock.ts";
import { keepEcho, type Echo } from "./echo.ts";

export type ConnectionOptions = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly venueNow: () => number;
  readonly handshakeMs: number;
  readonly maxPayloadBytes: number;
  readonly silentAfterMs: number;
  readonly echoMs?: number;
  readonly heartbeat?: { readonly send: string; readonly everySeconds: number };
  /**
   * Frames that end a silence; all frames when absent, including answers to heartbeats. Pings never do: they still
   * arrive on a connection that no longer delivers what we send to the venue.
   */
  readonly isData?: ((frame: string) => boolean) | undefined;
  /** Called in the socket's own callback: it must only queue the frame. */
  readonly onFrame: (text: string) => void;
};

export type Connection = {
  readonly send: (frame: string) => void;
  /** Resolves once, with the reason why it ended. */
  readonly closed: Promise<string>;
  /** Whether it was ended for want of data although the venue still answered. */
  readonly wasQuiet: () => boolean;
  readonly arrivedThrough: Echo;
  readonly end: (reason: string) => void;
  /** Stops reading, so that the venue waits or disconnects us, until resumed. This does not count as silence. */
  readonly pause: () => void;
  readonly resume: () => void;
};

const CLOSE_GRACE_MS = 2000;

/** Opens a socket, sends its heartbeat and monitors silence. Throws when the handshake fails or takes too long. */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { clock, venueNow } = options;
  const socket = new WebSocket(options.url, {
    headers: { ...options.headers },
    perMessageDeflate: false,
    maxPayload: options.maxPayloadBytes,
    handshakeTimeout: options.handshakeMs,
    followRedirects: false,
  });
  let receivedAt = clock.monotonicMs();
  let heardAt = receivedAt;
  let wasQuiet = false;
  let why: string | undefined;
  const over = new AbortController();
  const closed = new Promise<string>((resolve) => {
    socket.on("close", (code, reason) => {
      over.abort();
      resolve(why ?? `closed by the venue (${code}${reason.length > 0 ? ` ${reason.toString().slice(0, 100)}` : ""})`);
    });
  });
  socket.on("error", (error) => {
    why ??= `failed: ${error.message}`;
  });
  socket.on("message", (data, isBinary) => {
    const text = toText(data, isBinary);
    heardAt = clock.monotonicMs();
    if (options.isData?.(text) ?? true) receivedAt = heardAt;
    options.onFrame(text);
  });
  await opened(socket, () => why);
  const flow = createFlow(socket, () => {
    receivedAt = clock.monotonicMs();
  });
  receivedAt = clock.monotonicMs();
  void watchSilence(
    options,
    () => (flow.isPaused() ? clock.monotonicMs() : receivedAt),
    over.signal,
    (reason) => {
      why ??= reason;
      wasQuiet = clock.monotonicMs() - heardAt <= options.silentAfterMs;
      socket.terminate();
    },
  );
  if (options.heartbeat) void beat(socket, options.heartbeat, clock, over.signal);
  return {
    send: (frame) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(frame);
    },
    closed,
    wasQuiet: () => wasQuiet,
    arrivedThrough: keepEcho(socket, { clock, venueNow, everyMs: options.echoMs, signal: over.signal }),
    end: createEnd(socket, (reason) => {
      why ??= reason;
    }),
    pause: flow.pause,
    resume: flow.resume,
  };
}

/** Closes with a close frame, and terminates if the venue does not answer it. */
function createEnd(socket: WebSocket, onReason: (reason: string) => void): Connection["end"] {
  let isEnding = false;
  return (reason) => {
    if (isEnding) return;
    isEnding = true;
    onReason(reason);
    // A paused socket would not see the answer.
    socket.resume();
    socket.close(1000);
    const timer = setTimeout(() => socket.terminate(), CLOSE_GRACE_MS);
    socket.once("close", () => clearTimeout(timer));
  };
}

function createFlow(socket: WebSocket, onResume: () => void) {
  let isPaused = false;
  return {
    isPaused: () => isPaused,
    pause: () => {
      isPaused = true;
      socket.pause();
    },
    resume: () => {
      if (!isPaused) return;
      isPaused = false;
      onResume();
      socket.resume();
    },
  };
}

function opened(socket: WebSocket, why: () => string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("close", (code) => reject(new Error(why() ?? `closed before it opened (${code})`)));
  });
}

async function watchSilence(
  { clock, silentAfterMs }: ConnectionOptions,
  receivedAt: () => number,
  signal: AbortSignal,
  onSilent: (reason: string) => void,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(Math.min(1000, silentAfterMs / 4), signal).catch(() => undefined);
    const silentMs = clock.monotonicMs() - receivedAt();
    if (!signal.aborted && silentMs > silentAfterMs) {
      onSilent(`silent for ${Math.round(silentMs / 1000)} s`);
      return;
    }
  }
}

async function beat(
  socket: WebSocket,
  heartbeat: { readonly send: string; readonly everySeconds: number },
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(heartbeat.everySeconds * 1000, signal).catch(() => undefined);
    if (socket.readyState === WebSocket.OPEN) socket.send(heartbeat.send);
  }
}

function toText(data: RawData, isBinary: boolean): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString("utf8");
  if (data instanceof ArrayBuffer) return Buffer.from(data).toString("utf8");
  return data.toString(isBinary ? "utf8" : undefined);
}

/** The address of a path: settings contain the bare host or the full address. */
export function socketUrl(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, "");
  return base.endsWith(path.replace(/\/+$/, "")) ? base : `${base}${path}`;
}
