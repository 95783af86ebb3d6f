import { testSeed } from "../../../../scripts/vitest/seed.ts";

export type Question = {
  readonly params: Readonly<Record<string, string>>;
  readonly pagination: Readonly<Record<string, unknown>>;
  readonly format: string;
};

const without = <Value>(record: Readonly<Record<string, Value>>, name: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).filter(([other]) => other !== name));

/** Yields queries with one thing less; a cursor requires its parameters, which then stay as they are. */
function* simplerThan<Asked extends Question>(requested: Asked): Generator<Asked> {
  const { params, pagination, format } = requested;
  const { cursor, limit, offset } = pagination;
  if (cursor === undefined)
    for (const [name, text] of Object.entries(params)) {
      yield { ...requested, params: without(params, name) };
      const values = text.split(",");
      if (values.length > 1)
        for (const half of [values.slice(0, values.length >> 1), values.slice(values.length >> 1)])
          yield { ...requested, params: { ...params, [name]: half.join(",") } };
    }
  if (offset !== undefined) yield { ...requested, pagination: without(pagination, "offset") };
  if (Number(offset) > 1) yield { ...requested, pagination: { ...pagination, offset: Number(offset) >> 1 } };
  if (Number(limit) > 1) yield { ...requested, pagination: { ...pagination, limit: Number(limit) >> 1 } };
  if (format !== "raw") yield { ...requested, format: "raw" };
}

/** Simplifies a query as long as `fails` returns true, and returns the smallest one. */
export async function shrunk<Asked extends Question>(
  requested: Asked,
  fails: (requested: Asked) => Promise<boolean>,
): Promise<Asked> {
  for (const simpler of simplerThan(requested)) if (await fails(simpler)) return shrunk(simpler, fails);
  return requested;
}

const kindOf = (thrown: unknown): string | undefined => (thrown instanceof Error ? thrown.name : undefined);

/** Runs a check of a query; if it throws, throws the failure of the smallest query that fails alike, with the seed. */
export async function checkShrinking<Asked extends Question, Result>(
  requested: Asked,
  check: (requested: Asked) => Promise<Result>,
): Promise<Result> {
  const thrownOf = (question: Asked): Promise<unknown> =>
    check(question).then(
      () => undefined,
      (cause: unknown) => cause,
    );
  const [first] = await Promise.allSettled([check(requested)]);
  if (first.status === "fulfilled") return first.value;
  // A simpler query that is rejected for a removed parameter is another failure.
  const least = await shrunk(requested, async (simpler) => kindOf(await thrownOf(simpler)) === kindOf(first.reason));
  const cause = (await thrownOf(least)) ?? first.reason;
  const [from, to] = [requested, least].map(({ params, pagination, format }) =>
    JSON.stringify({ params, pagination, format }),
  );
  throw new Error(`seed ${testSeed()}, shrunk from ${from}: ${to}`, { cause });
}
