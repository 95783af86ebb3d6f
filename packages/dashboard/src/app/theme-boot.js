// Runs before the first paint, so it is a plain script: keep it in step with theme-switch.tsx.
(() => {
  let kept = null;
  try {
    kept = localStorage.getItem("almanac.theme");
  } catch {
    kept = null;
  }
  const isDark = kept === "dark" || (kept !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
})();
