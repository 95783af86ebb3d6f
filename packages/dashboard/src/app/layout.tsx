import { Suspense, type ReactElement } from "react";
import { Link, Outlet, useNavigation } from "react-router";
import { Spinner } from "../ui/content-states.tsx";
import { SearchBox } from "../pages/search/search-box.tsx";
import { BottomBar, NavLinks } from "./navigation.tsx";
import { Brand } from "./brand.tsx";
import { useSession } from "./session-context.ts";
import { UserCorner } from "./user-corner.tsx";

/** Frame around every page of a signed-in user. */
export function Layout(): ReactElement {
  const user = useSession();
  // Until an initial password is changed only the password page is available.
  const isHeld = user.must_change_password === true;
  const isMoving = useNavigation().state !== "idle";
  return (
    <div className="md:grid md:min-h-dvh md:grid-cols-[13.5rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-lg bg-accent px-3 py-2 text-sm text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <div
        aria-hidden="true"
        className={`fixed inset-x-0 top-0 z-40 h-0.5 origin-left bg-accent transition-transform duration-500 ${isMoving ? "scale-x-75" : "scale-x-0"}`}
      />
      <header className="flex items-center justify-between gap-4 px-4 pt-4 md:hidden">
        <Link to="/" aria-label="Almanac, to the overview">
          <Brand />
        </Link>
        {isHeld ? null : <SearchBox />}
      </header>
      <aside className="sticky top-0 hidden h-dvh flex-col justify-between gap-6 overflow-y-auto border-r border-line px-3 py-5 md:flex">
        <div className="flex flex-col gap-6">
          <Link to="/" aria-label="Almanac, to the overview" className="rounded px-2.5">
            <Brand />
          </Link>
          {isHeld ? null : (
            <>
              <SearchBox />
              <nav aria-label="Pages">
                <NavLinks role={user.role} />
              </nav>
            </>
          )}
        </div>
        <UserCorner />
      </aside>
      <main id="content" tabIndex={-1} className="min-w-0 px-4 pt-5 pb-24 outline-none md:px-8 md:pt-8 md:pb-12">
        <div className="mx-auto max-w-6xl">
          <Suspense fallback={<Spinner />}>
            <Outlet />
          </Suspense>
        </div>
      </main>
      {isHeld ? null : <BottomBar role={user.role} />}
    </div>
  );
}
