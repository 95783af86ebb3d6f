import { useEffect, useState, type ReactElement } from "react";

/** That something is asked, and for how long by now. */
export function Asking({ since }: { readonly since: number }): ReactElement {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 200);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, now - since) / 1000;
  return (
    <p aria-hidden="true" className="flex items-center gap-3 border-b border-line px-5 py-3 text-sm text-ink-faint">
      <span className="size-4 animate-spin rounded-full border-2 border-line-strong border-t-transparent" />
      Asking… {seconds.toFixed(1)} s
    </p>
  );
}
