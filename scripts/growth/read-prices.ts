import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Prices } from "./plan.ts";

const price = z.number().min(0);
const PRICES = z.object({
  core: price,
  memory_gib: price,
  nvme_gb: price,
  object_gb: price,
  network_gb: price,
}) satisfies z.ZodType<Prices>;

/** USD a month of each. Throws where one is missing or negative. */
export const readPrices = (file: string | URL = new URL("prices.json", import.meta.url)): Prices =>
  PRICES.parse(JSON.parse(readFileSync(file, "utf8")));
