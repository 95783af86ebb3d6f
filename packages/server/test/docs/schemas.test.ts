import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { datasets } from "../../src/catalogue.ts";
import { sampleRow } from "../../src/http/docs/dataset/dataset-page.ts";
import { isAlwaysRequired } from "../../src/definition/param.ts";
import { schemaName } from "../../src/http/openapi/dataset-schemas.ts";
import { DOCUMENT } from "./made-docs.ts";

describe("openapi.json", () => {
  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(DOCUMENT));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe("3.1");
  });
});

describe("the schema of a parameter", () => {
  const params = datasets.flatMap((dataset) =>
    Object.entries(dataset.params).map(([name, param]) => [`${dataset.name}.${name}`, dataset, name, param] as const),
  );
  type Given = { anyOf: { enum?: string[] }[]; description: string; "x-off-values": string[] };
  const schemaOf = (dataset: (typeof datasets)[number], name: string): Given => {
    const { schemas } = DOCUMENT["components"] as {
      schemas: Record<string, { properties: { params: { properties: Record<string, Given> } } }>;
    };
    const given = schemas[`${schemaName(dataset)}Request`]?.properties.params.properties[name];
    if (given === undefined) throw new Error(`${dataset.name} has no ${name}`);
    return given;
  };

  it.each(params.filter(([, , , { type }]) => ["number", "integer", "probability"].includes(type)))(
    "%s states the bounds outside which a number is refused",
    (_path, dataset, name, param) => {
      const read = param.parse("1e30");
      expect(read.ok || schemaOf(dataset, name).description).toContain(read.ok ? "" : read.expected);
    },
  );

  it.each(params.filter(([, , , param]) => isAlwaysRequired(param)))(
    "%s is required, so an empty text is not offered as no filter",
    (_path, dataset, name) => {
      const given = schemaOf(dataset, name);
      expect(given["x-off-values"]).toEqual([]);
      expect(given.anyOf.flatMap((one) => one.enum ?? [])).not.toContain("");
    },
  );
});

describe("the sample row of a dataset page", () => {
  it.each(datasets.map((dataset) => [dataset.name, dataset] as const))("%s matches its schema", (_name, dataset) => {
    const { schemas } = DOCUMENT["components"] as { schemas: Record<string, z.core.JSONSchema.JSONSchema> };
    const fits = z.fromJSONSchema(schemas[`${schemaName(dataset)}Row`] ?? false).safeParse(sampleRow(dataset));
    expect(fits.error?.issues).toBeUndefined();
  });
});
