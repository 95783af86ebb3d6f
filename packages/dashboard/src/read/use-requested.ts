import { useCallback } from "react";
import { useSearchParams } from "react-router";

/** A choice of a page, kept in its address so that a link shows the same; the fallback is omitted from it. */
export function useRequested(
  name: string,
  fallback: string,
  allowed?: readonly string[],
): [string, (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const given = params.get(name) ?? fallback;
  const value = allowed && !allowed.includes(given) ? fallback : given;
  const choose = useCallback(
    (next: string) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          if (next === fallback) after.delete(name);
          else after.set(name, next);
          return after;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParams, name, fallback],
  );
  return [value, choose];
}
