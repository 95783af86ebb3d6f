import type { FastifyReply } from "fastify";
import { serveSocial, type ServedSocial } from "../../../../exchange/src/social/serve-social.ts";
import type { SocialWorld } from "../../../../exchange/src/social/source-posts.ts";
import type { Post } from "../../../../exchange/src/world/social-contract.ts";

export const TOKEN = "paper-token";

/** Intercepts calls before their server sees them: sends an answer in its place, or does nothing. */
export type Meddle = (path: string, reply: FastifyReply) => unknown;

export type Endpoints = {
  readonly served: ServedSocial;
  readonly settings: Readonly<Record<string, string>>;
  /** The world's clock (Unix ms); settable if the posts are made by hand. */
  readonly clock: { now: number };
  /** Paths with their queries, in the order requested. */
  readonly requested: string[];
  /** Set and removed by tests at any time. */
  readonly meddling: { with?: Meddle | undefined };
  readonly close: () => Promise<void>;
};

/** The paper exchange's servers for Hacker News, GDELT and X, over a world or over posts made by hand. */
export async function openEndpoints(given: SocialWorld | readonly Post[], now: number): Promise<Endpoints> {
  const clock = { now };
  const requested: string[] = [];
  const meddling: Endpoints["meddling"] = {};
  const isMade = Array.isArray(given);
  const world = isMade ? { posts: given as Post[], reached: () => clock.now, start_ms: 0 } : (given as SocialWorld);
  const served = await serveSocial({
    world,
    x_bearer_token: TOKEN,
    wall: () => clock.now,
    prepare: (_name, app) => {
      app.addHook("onRequest", async (request, reply) => {
        requested.push(request.url);
        const { with: meddle } = meddling;
        if (meddle !== undefined) await meddle(request.url, reply);
      });
    },
  });
  return {
    served,
    clock,
    requested,
    meddling,
    settings: { HN_URL: served.hn_url, GDELT_URL: served.gdelt_url, X_URL: served.x_url, X_BEARER_TOKEN: TOKEN },
    close: () => served.close(),
  };
}
