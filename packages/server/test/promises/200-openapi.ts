import { examplesOf } from "../../src/definition/example-values.ts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { requiredParams } from "../fuzz/samples.ts";
import type { Service } from "./service.ts";

type Schema = Parameters<typeof z.fromJSONSchema>[0];
type Document = { readonly components: { readonly schemas: Readonly<Record<string, Schema>> } };

async function readDocument(service: Service): Promise<Document> {
  const text = await (await fetch(`${service.url}/openapi.json`)).text();
  // JSON Schema reads patterns as Unicode, but zod does not.
  return JSON.parse(text, (key, value: unknown) =>
    key === "pattern" && String(value).includes("\\p{") ? undefined : value,
  ) as Document;
}

/** polymarket-trades → PolymarketTrades. */
const schemaName = (name: string): string =>
  name.replace(/(^|-)(.)/g, (_all, _dash, letter: string) => letter.toUpperCase());

export function promiseOpenapi(service: () => Service): void {
  describe("200: rows match openapi.json", () => {
    it.each(["raw", "typed"])("in every dataset, as %s", async (format) => {
      const { components } = await readDocument(service());
      for (const dataset of service().catalogue) {
        const name = `${schemaName(dataset.name)}${format === "typed" ? "Typed" : ""}Row`;
        const schema = components.schemas[name];
        expect(schema, name).toBeDefined();
        const row = z.fromJSONSchema(schema ?? {});
        const reply = await service().ask({
          agent_id: dataset.agentId,
          params: requiredParams(dataset),
          pagination: { limit: 20 },
          formatter_config: { format_type: format },
        });
        const { data } = (await reply.json()) as { data: { results: unknown[] } };
        expect(data.results.length).toBeGreaterThan(0);
        for (const result of data.results) {
          const read = row.safeParse(result);
          expect(read.success, `${name}: ${read.error?.message} in ${JSON.stringify(result)}`).toBe(true);
        }
        expect(row.safeParse({ ...(data.results[0] as object), surplus: 1 }).success, "a surplus column").toBe(false);
      }
    });

    it("which also describes the parameters of every dataset", async () => {
      const { components } = await readDocument(service());
      for (const dataset of service().catalogue) {
        const request = components.schemas[`${schemaName(dataset.name)}Request`] as unknown as {
          properties: { params: { properties: Record<string, Schema> } };
        };
        const known = request.properties.params.properties;
        expect(Object.keys(known)).toEqual(Object.keys(dataset.params));
        for (const example of examplesOf(dataset)) {
          for (const [name, value] of Object.entries(example.params)) {
            expect(
              z.fromJSONSchema(known[name] ?? {}).safeParse(value).success,
              `${dataset.name}.${name} = ${value}`,
            ).toBe(true);
          }
        }
      }
    });
  });
}
