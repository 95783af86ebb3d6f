import type { ReactElement } from "react";
import { NavLink } from "react-router";
import type { Role } from "../api/session-user.ts";
import { Icon } from "../ui/icon.tsx";
import { maySee } from "./may-see.ts";
import type { NavGroup } from "./page-route.ts";
import { ROUTES } from "./routes.ts";

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
                    {route.nav?.label ?? route.title}
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
