import { z } from "zod";
import { readAccountsUsage } from "../../access/read-accounts-usage.ts";
import { readInput } from "../../access/read-input.ts";
import { CallerError } from "../../definition/errors.ts";
import type { ConsoleDoor } from "./console-door.ts";
import type { ConsoleOptions } from "./console-options.ts";
import type { OperatorData } from "./operator-data.ts";

const MAX_ACCOUNTS = 500;
const MAX_PAGES = 200;

const parkedInput = z.strictObject({
  stream: z.string().min(1).max(100).optional(),
  state: z.enum(["waiting", "read"], { error: "expected waiting or read" }).optional(),
  before: z
    .string()
    .regex(/^\d{1,15}$/, "expected the id of a page")
    .transform(Number)
    .optional(),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, "expected a whole number")
    .transform(Number)
    .pipe(z.int().min(1).max(MAX_PAGES))
    .default(50),
});

/** How the service is: streams, store, pages that could not be read, and who asks the most. */
export function addOperatorRoutes({ on }: ConsoleDoor, { operator }: ConsoleOptions): void {
  on("operator.streams", async () => await given(operator).streams());
  on("operator.store", async () => await given(operator).store());
  on("operator.parked", async ({ query }) => {
    const { state, ...asked } = readInput(parkedInput, query);
    return await given(operator).parked({ ...asked, waiting: state && state === "waiting" });
  });
  on("operator.usage", async ({ desk }) => await readAccountsUsage(desk, MAX_ACCOUNTS));
}

function given(operator: OperatorData | undefined): OperatorData {
  if (operator === undefined) throw new CallerError("NOT_FOUND", "This process keeps nothing of that.");
  return operator;
}
