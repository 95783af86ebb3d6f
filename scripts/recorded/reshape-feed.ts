import { z } from "zod";
import type { Call, Feed } from "../../packages/server/src/definition/connector.ts";

export type Reshape = {
  readonly path: string;
  /** Query added to calls of this path. */
  readonly add?: readonly (readonly [string, string])[];
  /** Paths of single objects that are asked for in place of the list, and the list that would hold them. */
  readonly instead?: { readonly paths: readonly string[]; readonly toList: (replies: readonly unknown[]) => unknown };
};

/**
 * A feed whose questions are narrowed to what was recorded: venues were asked for one ticker where a connector asks for
 * a list. What comes back is read with the connector's own schema.
 */
export function reshapeFeed(feed: Feed, { path, add, instead }: Reshape): Feed {
  return {
    ...feed,
    get: async <T extends z.ZodType>(call: Call, reply: T) => {
      if (call.path !== path) return feed.get(call, reply);
      if (add) return feed.get({ ...call, query: [...(call.query ?? []), ...add] }, reply);
      if (!instead) return feed.get(call, reply);
      const replies: unknown[] = [];
      for (const single of instead.paths)
        replies.push(await feed.get({ ...call, path: single, query: [] }, z.unknown()));
      return reply.parse(instead.toList(replies));
    },
  };
}
