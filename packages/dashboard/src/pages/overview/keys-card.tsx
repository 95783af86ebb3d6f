import type { ReactElement } from "react";
import { Link } from "react-router";
import { useKeysOf } from "../../api/keys.ts";
import { useSession } from "../../app/session-context.ts";
import { BriefMoment } from "../../read/brief-moment.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { TEXT_LINK } from "../../ui/text-link.ts";

const MOST = 4;

export function KeysCard(): ReactElement {
  const keys = useKeysOf(useSession().account.id);
  const active = (keys.data ?? []).filter((key) => key.state === "active");
  const latest = active.toSorted((a, b) => ((a.last_used_at ?? "") < (b.last_used_at ?? "") ? 1 : -1)).slice(0, MOST);
  return (
    <Card
      title="Keys"
      aside={
        <Link to="/keys" className={TEXT_LINK}>
          {active.length > MOST ? `All ${active.length}` : "Manage keys"}
        </Link>
      }
    >
      {keys.isError ? <ErrorNote error={keys.error} onRetry={() => void keys.refetch()} /> : null}
      {keys.data !== undefined && active.length === 0 ? (
        <p className="text-sm text-ink-faint">No active key. Make one to ask from a program.</p>
      ) : null}
      <ul className="flex flex-col gap-2.5 text-sm">
        {latest.map((key) => (
          <li key={key.id} className="min-w-0">
            <p className="truncate font-medium">{key.name}</p>
            <p className="text-[13px] text-ink-faint">
              {key.last_used_at === null ? (
                "never used"
              ) : (
                <>
                  last used <BriefMoment at={key.last_used_at} />
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
