import { useEffect, useState, type ReactElement } from "react";

/** The seconds that the service asked to wait, counted down. Give it a key of its own for each error. */
export function Countdown({ seconds }: { readonly seconds: number }): ReactElement {
  const [end] = useState(() => performance.now() + seconds * 1000);
  const [left, setLeft] = useState(Math.ceil(seconds));
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1000))), 250);
    return () => clearInterval(timer);
  }, [end]);
  return <p className="mt-1 font-medium">{left > 0 ? `Run again in ${left} s.` : "Run again now."}</p>;
}
