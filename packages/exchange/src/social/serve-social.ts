import Fastify, { type FastifyInstance, type FastifyPluginAsync } from "fastify";
import { installLimits } from "../polymarket/request-limits.ts";
import { gdeltEndpoint, refuseHaste } from "./gdelt/gdelt-endpoint.ts";
import { hackernewsEndpoint } from "./hackernews/hackernews-endpoint.ts";
import type { SocialWorld } from "./source-posts.ts";
import { ReadMeter, RequestLimits } from "./x/app-usage.ts";
import { xEndpoint } from "./x/x-endpoint.ts";

/** The hosts that serve the world's posts, one per source. */
type SocialHost = "hackernews" | "gdelt" | "x";

export interface ServeSocialOptions {
  world: SocialWorld;
  /** Address to listen on; default 127.0.0.1. */
  host?: string;
  /** Port of each host; 0 or absent takes a free one. */
  ports?: Partial<Record<SocialHost, number>>;
  /** Token that clients of X must send. */
  x_bearer_token: string;
  /** Whether request limits apply as at the real sources; default false. */
  limits?: boolean | undefined;
  /** Real time, ms, used by the limits and X's billing. */
  wall: () => number;
  /** Called with each app before its routes are mounted, to install faults. */
  prepare?: (name: SocialHost, app: FastifyInstance) => void;
}

export interface ServedSocial {
  hn_url: string;
  gdelt_url: string;
  x_url: string;
  x_bearer_token: string;
  /** Billed X API usage by day, with its price. */
  meter: ReadMeter;
  close(): Promise<void>;
}

/** Starts one server per host. The caller advances the world. */
export async function serveSocial(options: ServeSocialOptions): Promise<ServedSocial> {
  const { world, wall, x_bearer_token } = options;
  const meter = new ReadMeter(wall);
  const limits = new RequestLimits(options.limits === true, wall);
  const open = async (name: SocialHost, endpoint: FastifyPluginAsync) => {
    const app = Fastify({ forceCloseConnections: true });
    options.prepare?.(name, app);
    if (options.limits === true) limit(app, name, wall);
    await app.register(endpoint);
    const url = await app.listen({ host: options.host ?? "127.0.0.1", port: options.ports?.[name] ?? 0 });
    return { app, url };
  };
  const [hackernews, gdelt, x] = await Promise.all([
    open("hackernews", hackernewsEndpoint(world)),
    open("gdelt", gdeltEndpoint(world)),
    open("x", xEndpoint(world, { bearer_token: x_bearer_token, limits, meter })),
  ]);
  return {
    hn_url: `${hackernews.url}/api/v1`,
    gdelt_url: `${gdelt.url}/api/v2/doc/doc`,
    x_url: `${x.url}/2`,
    x_bearer_token,
    meter,
    close: async () => void (await Promise.all([hackernews, gdelt, x].map(({ app }) => app.close()))),
  };
}

/**
 * Limits of Hacker News and GDELT per address. X counts on its own, because its responses report the remaining
 * requests.
 */
function limit(app: FastifyInstance, name: SocialHost, wall: () => number): void {
  if (name === "hackernews")
    installLimits(app, {
      rules: [{ path: "*", requests: 10_000, seconds: 3600 }],
      wall,
      refuse: (reply) => reply.code(429).send({ message: "Too Many Requests", status: 429 }),
    });
  let refused = 0;
  if (name === "gdelt")
    installLimits(app, {
      rules: [{ path: "*", requests: 1, seconds: 5 }],
      wall,
      refuse: (reply) => {
        refused += 1;
        return refuseHaste(reply, refused % 2 === 1 ? 429 : 200);
      },
    });
}
