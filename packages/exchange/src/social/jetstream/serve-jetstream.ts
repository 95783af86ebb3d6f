import Fastify, { type FastifyInstance } from "fastify";
import { mountSocket } from "../../mount-socket.ts";
import type { TalkingWorld } from "./event-log.ts";
import { type JetstreamOptions, jetstreamSocket } from "./jetstream-socket.ts";

export interface ServeJetstreamOptions extends JetstreamOptions {
  world: TalkingWorld;
  /** Default 127.0.0.1. */
  host?: string | undefined;
  /** 0 or absent takes any free port. */
  port?: number | undefined;
  /** Called with the app before the socket is mounted, to install faults. */
  prepare?: ((app: FastifyInstance) => void) | undefined;
}

/** Serves Jetstream on its own port. */
export async function serveJetstream(
  options: ServeJetstreamOptions,
): Promise<{ jetstream_url: string; close(): Promise<void> }> {
  const app = Fastify({ forceCloseConnections: true });
  options.prepare?.(app);
  mountSocket(app, "/subscribe", jetstreamSocket(options.world, options));
  const url = await app.listen({ host: options.host ?? "127.0.0.1", port: options.port ?? 0 });
  return { jetstream_url: `${url.replace(/^http/, "ws")}/subscribe`, close: async () => app.close() };
}
