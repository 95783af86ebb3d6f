import { z } from "zod";

const filterWire = z.object({ event_slug: z.string().optional(), market_slug: z.string().optional() });
const message = z.object({
  action: z.enum(["subscribe", "unsubscribe"]),
  subscriptions: z
    .array(
      z.object({ topic: z.string().max(100), type: z.string().max(100), filters: z.string().max(2000).optional() }),
    )
    .max(100),
});

/** What a client wants of one topic. An absent slug lets everything through. */
export interface Subscription {
  topic: string;
  /** `*` is every type of the topic. */
  type: string;
  event_slug: string | undefined;
  market_slug: string | undefined;
}

/** A frame a client sent. Undefined where it is not understood; a subscription whose filter is not is left out. */
export function readSubscriptions(
  text: string,
): { action: "subscribe" | "unsubscribe"; subscriptions: Subscription[] } | undefined {
  const parsed = message.safeParse(readJson(text));
  if (!parsed.success) return undefined;
  const { action, subscriptions } = parsed.data;
  return {
    action,
    subscriptions: subscriptions.flatMap(({ topic, type, filters }) => {
      const filter = filters === undefined || filters === "" ? {} : filterWire.safeParse(readJson(filters)).data;
      if (filter === undefined) return [];
      return [{ topic, type, event_slug: filter.event_slug, market_slug: filter.market_slug }];
    }),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
