import fc from "fast-check";
import { expect, test } from "vitest";
import { measures } from "../../src/derivations/wallet-score/measures.ts";
import { createResampler, seededRandom } from "../../src/derivations/wallet-score/bootstrap-score.ts";

const between = (min: number, max: number) => fc.integer({ min: min * 100, max: max * 100 }).map((one) => one / 100);
const figure = between(-5, 5);
const eventArbitrary = fc.record({
  category: fc.constant("Sports"),
  entries: fc.nat(6),
  edgeSum: figure,
  varianceSum: between(0, 1),
  skillSum: figure,
  weight: between(0, 4),
  spread: between(0, 0.25),
  clvEntries: fc.nat(3),
  clvSum: figure,
  profits: fc.array(between(-500, 500), { maxLength: 5 }),
});
const dayArbitrary = fc.record({ profit: figure, capital: between(0, 100) });

test("a resample gives the same measures as measures() on the same draw", () => {
  fc.assert(
    fc.property(
      fc.array(eventArbitrary, { minLength: 1, maxLength: 20 }),
      fc.array(dayArbitrary, { maxLength: 15 }),
      fc.string(),
      (events, days, seed) => {
        const draw = createResampler(events, days, seededRandom(seed));
        const random = seededRandom(seed);
        for (let sample = 0; sample < 3; sample += 1) {
          const drawn = events.map(() => events[random(events.length)] ?? expect.fail());
          const found = measures(
            drawn,
            days.map(() => days[random(days.length)] ?? expect.fail()),
          );
          for (const [name, value] of Object.entries(draw())) {
            const expected = found[name as keyof typeof found];
            if (value === null) expect(expected).toBeNull();
            else expect(value).toBeCloseTo(Number(expected), 8);
          }
        }
      },
    ),
  );
});
