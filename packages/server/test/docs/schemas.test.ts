import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { datasets } from "../../src/catalogue.ts";
import { sampleRow } from "../../src/http/docs/dataset/dataset-page.ts";
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

describe("the sample row of a dataset page", () => {
  it.each(datasets.map((dataset) => [dataset.name, dataset] as const))("%s matches its schema", (_name, dataset) => {
    const { schemas } = DOCUMENT["components"] as { schemas: Record<string, z.core.JSONSchema.JSONSchema> };
    const fits = z.fromJSONSchema(schemas[`${schemaName(dataset)}Row`] ?? false).safeParse(sampleRow(dataset));
    expect(fits.error?.issues).toBeUndefined();
  });
});
