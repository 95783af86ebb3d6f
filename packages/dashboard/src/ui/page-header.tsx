import { useEffect, useRef, type ReactElement, type ReactNode } from "react";
import { useLocation, useNavigationType } from "react-router";

interface PageHeaderProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
}

/** The page's only h1: sets the document title, and takes the focus after navigation by a link. */
export function PageHeader({ title, about, actions }: PageHeaderProps): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null);
  const shownPath = useRef<string>(undefined);
  const { pathname } = useLocation();
  const isByLink = useNavigationType() !== "POP";
  useEffect(() => {
    document.title = `${title} · Almanac`;
  }, [title]);
  useEffect(() => {
    if (!isByLink || shownPath.current === pathname) return;
    shownPath.current = pathname;
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [pathname, isByLink]);
  return (
    <div className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 ref={heading} tabIndex={-1} className="font-serif text-[28px] leading-tight tracking-tight break-words">
          {title}
        </h1>
        {about === undefined ? null : <div className="mt-1 max-w-2xl text-ink-faint">{about}</div>}
      </div>
      {actions === undefined ? null : <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
