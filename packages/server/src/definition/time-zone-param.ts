import { param, type Param } from "./param.ts";

/** Zones younger than the engine's own list of them. */
const UNKNOWN_TO_ENGINE: ReadonlySet<string> = new Set(["America/Coyhaique"]);
const ZONES = new Map(Intl.supportedValuesOf("timeZone").map((zone) => [zone.toLowerCase(), zone]));

/** A zone by the name that the engine knows it by: Asia/Calcutta also where it is called Asia/Kolkata. */
function zoneOf(name: string): string | undefined {
  const asked = name.toLowerCase();
  const known = ZONES.get(asked);
  // An offset, as +05:30, is no name of a zone.
  if (known !== undefined || !/^[a-z]/.test(asked)) return known;
  const found = findZone(name);
  // To look one up takes as long as a fifth of a page, and UTC is not listed. There are some 600 names.
  if (found !== undefined) ZONES.set(asked, found);
  return found;
}

function findZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** An IANA time zone. */
export const timeZone = (): Param =>
  param({
    type: "time zone",
    schema: { type: "string", description: "IANA time zone, e.g. America/New_York" },
    parse: (text) => {
      const found = zoneOf(text.trim());
      return found === undefined || UNKNOWN_TO_ENGINE.has(found)
        ? { ok: false, expected: "an IANA time zone, e.g. America/New_York" }
        : { ok: true, value: found };
    },
  });
