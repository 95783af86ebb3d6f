import type { Requested } from "./requested.ts";
import type { Dataset } from "./dataset.ts";
import { isOff } from "./off-values.ts";

/**
 * The parameters to send: without those that match the service's behaviour anyway (the default; no filter if there is
 * no default). Unknown parameters are sent too, so that the service can suggest what was meant.
 */
export function toParams(dataset: Dataset, requested: Requested): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const param of dataset.params) {
    const text = requested.params[param.name]?.trim();
    if (text === undefined || text === "") continue;
    if (text === param.default && param.default_unless === null) continue;
    if (param.default === null && isOff(param, text)) continue;
    sent[param.name] = text;
  }
  const known = new Set(dataset.params.map((param) => param.name));
  for (const [name, text] of Object.entries(requested.params)) if (!known.has(name)) sent[name] = text;
  return sent;
}
