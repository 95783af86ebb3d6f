import { useEffect, useRef, useState, type RefObject } from "react";

/** Whether an element has ever been visible: its data is requested only then. */
export function useIsSeen<Shown extends HTMLElement>(): [RefObject<Shown | null>, boolean] {
  const ref = useRef<Shown>(null);
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element || isSeen) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setIsSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isSeen]);
  return [ref, isSeen];
}
