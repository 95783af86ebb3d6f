const LOCAL = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)$/;

/** A date-time input's value (in the user's zone) as ISO-8601 in UTC; undefined if it is not one. */
export function isoFromLocal(value: string): string | undefined {
  if (!LOCAL.test(value)) return undefined;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString().replace(".000Z", "Z");
}

/** Any accepted time as Unix milliseconds; undefined if the text is not one. For display only: the service decides. */
export function timestampMs(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^\d{13}$/.test(trimmed)) return Number(trimmed);
  if (/^\d{9,10}(\.\d+)?$/.test(trimmed)) return Number(trimmed) * 1000;
  if (!/^\d{4}-\d{2}-\d{2}/.test(trimmed)) return undefined;
  const zoned = /T|\s/.test(trimmed) && !/(Z|[+-]\d{2}(:?\d{2})?)$/i.test(trimmed) ? `${trimmed}Z` : trimmed;
  const at = Date.parse(zoned.replace(" ", "T"));
  return Number.isNaN(at) ? undefined : at;
}

/** An accepted time as a date-time input shows it, in the user's zone; empty if the text is not one. */
export function localFromTimestamp(text: string): string {
  const ms = timestampMs(text);
  if (ms === undefined) return "";
  const offset = new Date(ms).getTimezoneOffset() * 60_000;
  const local = new Date(ms - offset).toISOString();
  return local.slice(0, local.endsWith("00.000Z") ? 16 : 19);
}
