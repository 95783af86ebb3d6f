import { languageCode } from "./vocabulary.ts";
import { param, type Param } from "./param.ts";

const TAG = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,4}$/;

/** A language by its code or tag ("en", "EN", "en-GB"); bound as the code in stored posts. */
export const language = (): Param =>
  param({
    type: "language code",
    schema: { type: "string", pattern: TAG.source },
    parse: (text) => {
      const code = TAG.test(text.trim()) ? languageCode(text.trim()) : "";
      return code === "" ? { ok: false, expected: "a language code (ISO 639-1), e.g. en" } : { ok: true, value: code };
    },
  });

/** Zones newer than the engine's own list of them. */
const UNKNOWN_TO_ENGINE: ReadonlySet<string> = new Set(["America/Coyhaique"]);
const ZONES = new Map(Intl.supportedValuesOf("timeZone").map((zone) => [zone.toLowerCase(), zone]));

/** Resolves a zone to the name that the engine knows: Asia/Calcutta also for Asia/Kolkata. */
function zoneOf(name: string): string | undefined {
  const requested = name.toLowerCase();
  const known = ZONES.get(requested);
  // An offset, such as +05:30, is not a zone name.
  if (known !== undefined || !/^[a-z]/.test(requested)) return known;
  const found = findZone(name);
  // Cached, because a lookup takes as long as a fifth of a page, and UTC is not listed. There are only some 600 names.
  if (found !== undefined) ZONES.set(requested, found);
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
