import type { ReactElement } from "react";
import { Link } from "react-router";
import { useSignOut } from "../api/session.ts";
import { Button } from "../ui/button.tsx";
import { ErrorNote } from "../ui/content-states.tsx";
import { useSession } from "./session-context.ts";
import { ThemeSwitch } from "./theme-switch.tsx";

/** The signed-in user, the sign-out button, and the theme switch. */
export function UserCorner({ onFollow }: { readonly onFollow?: () => void }): ReactElement {
  const user = useSession();
  const signOut = useSignOut();
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <div className="min-w-0 px-2.5 text-[13px]">
        <p className="truncate font-medium" title={user.email}>
          {user.name}
        </p>
        <p className="truncate text-ink-faint">
          {user.account.name} · {user.account.plan}
        </p>
        <Link to="/password" onClick={onFollow} className="text-ink-soft underline decoration-line underline-offset-2">
          Change password
        </Link>
      </div>
      <div className="flex items-center justify-between gap-1">
        <ThemeSwitch />
        <Button
          tone="quiet"
          isSmall
          icon="out"
          className="px-2"
          isBusy={signOut.isPending}
          onClick={() => signOut.mutate()}
        >
          Sign out
        </Button>
      </div>
      {signOut.isError ? (
        <>
          <ErrorNote error={signOut.error} />
          <p className="px-2.5 text-[13px] text-ink-soft">You may still be signed in: try again.</p>
        </>
      ) : null}
    </div>
  );
}
