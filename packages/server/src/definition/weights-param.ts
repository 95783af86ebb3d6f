import { param, type Param, type Parsed } from "./param.ts";

const MOST = 1_000_000;
const ITEM = /^"?([a-z_]+)"?\s*[:=]\s*"?([0-9]+(?:\.[0-9]+)?)"?$/i;

/**
 * Weights of named parts: "skill:0.5,risk:0.5", or the same as a JSON object. Parts not named weigh nothing. Bound as
 * the weights in the order of the names, normalised to sum to 1.
 */
export const weights = (...names: readonly string[]): Param => {
  const expected = `weights like ${names[0] ?? "part"}:0.5,… of ${names.join(", ")}, at least one above 0`;
  return param({
    type: "weights",
    engineType: "Array(Float64)",
    schema: { type: "string", description: expected },
    parse: (text) => readWeights(text, names) ?? { ok: false, expected },
    echo: (value) => (Array.isArray(value) ? names.map((part, place) => `${part}:${value[place]}`).join(",") : ""),
  });
};

function readWeights(text: string, names: readonly string[]): Parsed | undefined {
  const found = new Map<string, number>();
  const inner = text.trim().replace(/^\{([\s\S]*)\}$/, "$1");
  for (const item of inner.split(",")) {
    const [, part, weight] = ITEM.exec(item.trim()) ?? [];
    const known = names.find((one) => one === part?.toLowerCase());
    if (known === undefined || found.has(known) || Number(weight) > MOST) return undefined;
    found.set(known, Number(weight));
  }
  let sum = 0;
  for (const weight of found.values()) sum += weight;
  if (!(sum > 0)) return undefined;
  return { ok: true, value: names.map((part) => Number(((found.get(part) ?? 0) / sum).toFixed(12))) };
}
