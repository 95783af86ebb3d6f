import { type ReactElement, useEffect, useRef, useState } from "react";
import { NavLink } from "react-router";
import type { Role } from "../api/session-user.ts";
import { Icon } from "../ui/icon.tsx";
import { maySee, type NavGroup, ROUTES } from "./routes.ts";
import { UserCorner } from "./user-corner.tsx";

const GROUPS: readonly { readonly group: NavGroup; readonly label: string }[] = [
  { group: "data", label: "Data" },
  { group: "account", label: "Account" },
  { group: "operator", label: "Operator" },
];

const LINK =
  "flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-sm text-ink-soft hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-strong";

export function NavLinks({ role, onFollow }: { readonly role: Role; readonly onFollow?: () => void }): ReactElement {
  const seen = ROUTES.filter((route) => maySee(route, role));
  return (
    <div className="flex flex-col gap-5">
      {GROUPS.map(({ group, label }) => {
        const links = seen.filter((route) => route.nav?.group === group);
        if (links.length === 0) return null;
        return (
          <div key={group}>
            <p className="mb-1 px-2.5 text-xs font-medium text-ink-faint">{label}</p>
            <ul className="flex flex-col gap-px">
              {links.map((route) => (
                <li key={route.path}>
                  <NavLink to={route.path} end={route.path === "/"} onClick={onFollow} className={LINK}>
                    <Icon name={route.nav?.icon ?? "right"} />
                    {route.title}
                  </NavLink>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </div>
  );
}

const ITEM =
  "flex min-w-0 flex-1 flex-col items-center gap-0.5 py-2 text-xs text-ink-faint aria-[current=page]:text-accent-strong";

/** The phone's navigation: the main pages in a bottom bar, the others in a drawer. */
export function BottomBar({ role }: { readonly role: Role }): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  const drawer = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) drawer.current?.showModal();
    else drawer.current?.close();
  }, [isOpen]);
  const main = ROUTES.filter((route) => route.nav?.isMain === true && maySee(route, role)).slice(0, 4);
  return (
    <>
      <nav
        aria-label="Main pages"
        className="fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {main.map((route) => (
          <NavLink key={route.path} to={route.path} end={route.path === "/"} className={ITEM}>
            <Icon name={route.nav?.icon ?? "right"} />
            <span className="max-w-full truncate">{route.title}</span>
          </NavLink>
        ))}
        <button type="button" aria-haspopup="dialog" onClick={() => setIsOpen(true)} className={ITEM}>
          <Icon name="menu" />
          Menu
        </button>
      </nav>
      <dialog
        ref={drawer}
        aria-label="Menu"
        onClose={() => setIsOpen(false)}
        closedby="any"
        className="mt-auto mb-0 max-h-[85dvh] w-full max-w-full rounded-t-2xl border-t border-line bg-surface text-ink"
      >
        <div className="flex flex-col gap-5 p-5">
          {isOpen ? (
            <>
              <NavLinks role={role} onFollow={() => setIsOpen(false)} />
              <UserCorner onFollow={() => setIsOpen(false)} />
              <button type="button" onClick={() => setIsOpen(false)} className="py-2 text-sm text-ink-soft">
                Close
              </button>
            </>
          ) : null}
        </div>
      </dialog>
    </>
  );
}
