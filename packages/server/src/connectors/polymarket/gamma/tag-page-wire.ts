import { z } from "zod";
import { rowsOf, textIn } from "../../../definition/rows-of.ts";
import { maybeWire } from "../exact/wires.ts";

const text = maybeWire(z.string());

const tagWire = z.object({
  id: z.string().regex(/^\d+$/),
  label: text,
  slug: text,
  createdAt: text,
  updatedAt: text,
});

/** A tag as Gamma gives it: the fields we keep. */
export type GammaTag = z.output<typeof tagWire>;

/** A page of `/tags`: a bare array of at most 100, whatever was asked. */
export const tagPageWire = rowsOf(tagWire, { key: { tag_id: textIn("id") } }, 1000);
