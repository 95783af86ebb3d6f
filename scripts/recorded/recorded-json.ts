import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { House } from "./open-house.ts";

export type Json = Readonly<Record<string, unknown>>;

/** A recorded JSON file; of Kalshi's golden fixtures the reply in it. */
export async function recordedJson({ dir }: Pick<House, "dir">, path: string): Promise<Json> {
  const content = JSON.parse(await readFile(join(dir, path), "utf8")) as Json;
  return path.includes("golden_fixtures/") ? (content["response"] as Json) : content;
}

export const golden = (name: string): string => `kalshi/golden_fixtures/${name}_response.json`;
export const sample = (name: string): string => `kalshi/live_samples_2026/${name}.json`;
