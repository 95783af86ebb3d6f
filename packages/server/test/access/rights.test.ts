import { expect, test } from "vitest";
import { mayReach, RIGHTS, type Right } from "../../src/access/rights.ts";

const user = (role: "member" | "owner" | "operator") => ({ id: "me", role, account: { id: "mine", name: "Mine" } });
const things = {
  own: { account_id: "mine", created_by: "me" },
  colleague: { account_id: "mine", created_by: "other" },
  stranger: { account_id: "theirs", created_by: "me" },
  nobody: { account_id: null },
};
const REACHED = { own: ["own"], account: ["own", "colleague"], all: Object.keys(things) } as const;

test.each(Object.keys(RIGHTS) as Right[])("%s reaches exactly as far as the table of rights says", (right) => {
  for (const role of ["member", "owner", "operator"] as const) {
    const reach = (RIGHTS[right] as Partial<Record<typeof role, keyof typeof REACHED>>)[role];
    const reached = Object.entries(things).flatMap(([name, thing]) =>
      mayReach(user(role) as Parameters<typeof mayReach>[0], right, thing) ? [name] : [],
    );
    expect(reached, role).toEqual(reach === undefined ? [] : REACHED[reach]);
  }
});
