import type { Tag } from "../../world/contract.ts";
import { isoPrecise, postgresTime } from "../timestamp-text.ts";

/** A tag as Gamma returns it in lists and inside events. Its dates are the world's start time. */
export function tagObject(tag: Tag, worldStartMs: number): Record<string, unknown> {
  return {
    id: tag.id,
    label: tag.label,
    slug: tag.slug,
    forceShow: false,
    publishedAt: postgresTime(worldStartMs),
    createdAt: isoPrecise(worldStartMs),
    updatedAt: isoPrecise(worldStartMs),
    requiresTranslation: false,
  };
}
