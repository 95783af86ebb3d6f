import { useId, type ReactElement, type ReactNode } from "react";

interface CardProps {
  readonly title?: ReactNode;
  /** Shown next to the title: a link, a button, a choice. */
  readonly aside?: ReactNode;
  readonly about?: ReactNode;
  readonly children: ReactNode;
  /** The content has its own padding, as a table does. */
  readonly isFlush?: boolean;
}

export function Card({ title, aside, about, children, isFlush = false }: CardProps): ReactElement {
  const id = useId();
  return (
    <section
      {...(title === undefined ? {} : { "aria-labelledby": id })}
      className={`min-w-0 rounded-xl border border-line bg-surface shadow-card ${isFlush ? "overflow-hidden" : ""}`}
    >
      {title === undefined ? null : (
        <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-5 pt-4 pb-3">
          <div className="min-w-0">
            <h2 id={id} className="text-[15px] font-semibold">
              {title}
            </h2>
            {about === undefined ? null : <p className="text-[13px] text-ink-faint">{about}</p>}
          </div>
          {aside === undefined ? null : <div className="flex items-center gap-2 text-[13px]">{aside}</div>}
        </header>
      )}
      <div className={isFlush ? "" : title === undefined ? "p-5" : "px-5 pb-5"}>{children}</div>
    </section>
  );
}
