import { connectors } from "../catalogue.ts";
import type { Config } from "../config.ts";

/** Sentences about settings that are valid but have no effect. */
export function settingWarnings({ warnings, streamsOff }: Pick<Config, "warnings" | "streamsOff">): readonly string[] {
  const names = connectors.map(({ name }) => name);
  const unknown = streamsOff.filter((name) => !names.includes(name));
  if (unknown.length === 0) return warnings;
  const says = `STREAMS_OFF names ${unknown.join(", ")}, which is no stream and has no effect; there are ${names.toSorted().join(", ")}`;
  return [...warnings, says];
}
