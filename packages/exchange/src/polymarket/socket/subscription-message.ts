import { z } from "zod";
import { readJson } from "../../faults/json-object.ts";

const wishes = {
  assets_ids: z.array(z.string().max(100)).max(10_000),
  custom_feature_enabled: z.boolean().optional(),
  initial_dump: z.boolean().optional(),
  level: z.number().optional(),
};

/** Messages a client may send on `/ws/market`: its subscription, and later additions or removals of assets. */
const message = z.union([
  z.object({ operation: z.enum(["subscribe", "unsubscribe"]), ...wishes }),
  z.object({ type: z.string().regex(/^market$/i), ...wishes }),
]);

/** A subscription frame, parsed. */
export interface SubscriptionMessage {
  operation: "subscribe" | "unsubscribe";
  assets_ids: string[];
  custom_feature_enabled: boolean | undefined;
  initial_dump: boolean;
}

/** Undefined for messages the channel does not understand. */
export function readSubscription(text: string): SubscriptionMessage | undefined {
  const parsed = message.safeParse(readJson(text));
  if (!parsed.success) return undefined;
  const { assets_ids, custom_feature_enabled, initial_dump } = parsed.data;
  const operation = "operation" in parsed.data ? parsed.data.operation : "subscribe";
  return { operation, assets_ids, custom_feature_enabled, initial_dump: initial_dump ?? true };
}
