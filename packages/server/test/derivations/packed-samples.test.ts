import fc from "fast-check";
import { expect, test } from "vitest";
import { packSamples } from "../../src/derivations/wallet-score/packed-samples.ts";

const figure = fc.double({ noNaN: true, noDefaultInfinity: true });
const event = fc.record({
  category: fc.constantFrom("", "Sports", "Sports / Chess"),
  entries: fc.nat(),
  edgeSum: figure,
  varianceSum: figure,
  skillSum: figure,
  weight: figure,
  spread: figure,
  clvEntries: fc.nat(),
  clvSum: figure,
  profits: fc.array(figure, { maxLength: 4 }),
});
const sample = fc.record({
  wallet: fc.string(),
  events: fc.array(event, { maxLength: 6 }),
  days: fc.array(fc.record({ profit: figure, capital: figure }), { maxLength: 15 }),
  penalty: fc.record({
    wash: figure,
    sybil: figure,
    farmer: figure,
    bothSides: figure,
    averageEntry: fc.option(figure),
  }),
});

test("samples come back as they were packed, to the last bit, however often", () => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 5 }), (samples) => {
      const packed = packSamples(samples);
      expect([...packed]).toEqual(samples);
      expect([...packed]).toEqual(samples);
    }),
  );
});
