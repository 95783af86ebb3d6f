import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { timeZone } from "../../src/definition/locale-params.ts";
import { bind, sql } from "../../src/definition/sql.ts";
import { openSampledQuery } from "../fixtures/open-sampled-query.ts";
import { SAMPLE_PARAMS } from "../fixtures/sample-rows.ts";

let opened: Awaited<ReturnType<typeof openSampledQuery>>;
beforeAll(async () => void (opened = await openSampledQuery()));
afterAll(() => opened.store.close());

const read = (text: string): unknown => {
  const parsed = timeZone().parse(text);
  return parsed.ok ? parsed.value : undefined;
};

/** Current names, for which the runtime's own list has the former ones. */
const RENAMED = [
  ["Asia/Kolkata", "Asia/Calcutta"],
  ["Asia/Ho_Chi_Minh", "Asia/Saigon"],
  ["Asia/Kathmandu", "Asia/Katmandu"],
  ["Asia/Yangon", "Asia/Rangoon"],
  ["Europe/Kyiv", "Europe/Kiev"],
  ["America/Argentina/Buenos_Aires", "America/Buenos_Aires"],
  ["America/Indiana/Indianapolis", "America/Indianapolis"],
  ["America/Nuuk", "America/Godthab"],
  ["Atlantic/Faroe", "Atlantic/Faeroe"],
  ["Pacific/Kanton", "Pacific/Enderbury"],
] as const;

const daysIn = (tz: string) => opened.query.rows(568, { params: { ...SAMPLE_PARAMS[568], interval: "1d", tz } });

describe("a time zone", () => {
  test.each(RENAMED)("%s is the same as %s, case-insensitively", async (name, former) => {
    expect(read(name)).toBe(read(former));
    expect(read(name.toLowerCase())).toBe(read(former));
    const rows = await daysIn(name);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual(await daysIn(former));
  });

  test("is known to the engine by whichever name it is requested", async () => {
    const zones = [...Intl.supportedValuesOf("timeZone"), ...RENAMED.map(([name]) => name), "US/Eastern", "EST5EDT"];
    const bound = [...new Set(zones.map((zone) => read(zone)).filter((zone) => zone !== undefined))].map(String);
    expect(bound.length).toBeGreaterThan(400);
    const known = await opened.store.rows<{ name: string }>(
      sql`SELECT arrayJoin(${bind("Array(String)", bound)}) AS name WHERE name IN (SELECT time_zone FROM system.time_zones)`,
    );
    expect(known.map(({ name }) => name).sort()).toEqual(bound.sort());
  });

  test("is UTC by all of its names; offsets and unknown names are refused", () => {
    for (const name of ["UTC", "utc", "Etc/UTC", "GMT", "Zulu"]) expect(read(name)).toBe("UTC");
    for (const name of ["", "+05:30", "-0300", "Mars/Olympus", "EDT ", "India", "America/Coyhaique"])
      expect(read(name)).toBeUndefined();
  });
});
