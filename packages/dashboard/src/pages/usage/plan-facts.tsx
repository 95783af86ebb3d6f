import type { ReactElement } from "react";
import type { Quota } from "../../api/quota.ts";
import { showFigure } from "../../read/show-figure.ts";

type Room = Quota["room"]["keys"];

function RoomFact({ used, most }: Room): ReactElement {
  return (
    <span className={used < most ? "" : "text-warn"}>
      {showFigure(used)} of {showFigure(most)}
    </span>
  );
}

/** What the plan gives the account, and how much of it is taken. */
export function PlanFacts({ quota }: { readonly quota: Quota }): ReactElement {
  const { room } = quota;
  const facts = [
    { name: "Keys that work", fact: <RoomFact {...room.keys} /> },
    { name: "Users", fact: <RoomFact {...room.users} /> },
    {
      name: "Requests a minute",
      fact: `${showFigure(quota.requests_per_minute)}, burst ${showFigure(quota.burst)}`,
    },
    {
      name: "Questions at once",
      fact: `${showFigure(quota.at_once)}, ${showFigure(quota.key_at_once)} of a key`,
    },
    { name: "Largest page", fact: `${showFigure(quota.max_page)} rows` },
    { name: "Longest list", fact: `${showFigure(quota.max_list)} items` },
  ];
  return (
    <dl className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-x-8 gap-y-1 border-t border-line pt-3 text-[13px]">
      {facts.map(({ name, fact }) => (
        <div key={name} className="flex min-w-0 justify-between gap-3">
          <dt className="text-ink-faint">{name}</dt>
          <dd className="text-right tabular-nums">{fact}</dd>
        </div>
      ))}
    </dl>
  );
}
