import { toCaller } from "../../access/session-user.ts";
import { requireAllowance } from "../admit.ts";
import { createRetrieve } from "../retrieve.ts";
import type { ConsoleDoor } from "./console-door.ts";
import type { ConsoleOptions } from "./console-options.ts";

/** The endpoint's own way with the session in place of a key: the same body, bounds, answer and errors. */
export function addAskRoute({ on }: ConsoleDoor, options: ConsoleOptions): void {
  const retrieve = createRetrieve(options);
  on("ask", async ({ user, request, reply }) => {
    const caller = toCaller(user);
    request.visit.caller = caller;
    await requireAllowance(options.access, caller, reply);
    await retrieve(request, reply);
  });
}
