import type { ReactElement } from "react";

/** The logo, a half-lit moon, and the name. */
export function Brand(): ReactElement {
  return (
    <span className="inline-flex items-center gap-2 font-serif text-[21px] leading-none tracking-tight text-ink">
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" className="text-accent">
        <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" strokeWidth="2" />
        <path d="M12 3a9 9 0 0 1 0 18c-3.6-2.4-5.4-5.4-5.4-9S8.4 5.4 12 3z" fill="currentColor" />
      </svg>
      Almanac
    </span>
  );
}
