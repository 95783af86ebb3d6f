// Optional features of the pages: the dashboard's theme, copying, search. Each page is complete without them.
/** A page with its texts in lower case, in order of weight. */
const searchable = ({ path, title, lead, words }) => ({
  path,
  title,
  lead,
  texts: [title, lead, words].map((text) => text.toLowerCase()),
});

/** Finds pages that contain every word; a match in the title weighs most, then in the lead, then in the rest. */
const findPages = (pages, asked) => {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const weigh = (page) => {
    let sum = 0;
    for (const word of words) {
      const at = page.texts.findIndex((text) => text.includes(word));
      if (at < 0) return 0;
      sum += 3 - at;
    }
    return sum;
  };
  return pages
    .map((page) => ({ page, weight: weigh(page) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, 12)
    .map(({ page }) => page);
};

const KEPT_AS = "almanac.theme";
const root = document.documentElement;

const kept = () => {
  try {
    return localStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
};
const keep = (theme) => {
  try {
    localStorage.setItem(KEPT_AS, theme);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
};
const theme = kept();
if (theme === "dark" || theme === "light") root.dataset.theme = theme;

const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

const addCopying = () => {
  for (const block of document.querySelectorAll("figure.code")) {
    const caption = block.querySelector("figcaption");
    const button = element("button", { type: "button", className: "copy" }, "Copy");
    button.setAttribute("aria-label", `Copy: ${caption.textContent}`);
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(block.querySelector("code").textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(block.querySelector("code"));
        button.textContent = "Selected: copy it";
      }
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
    caption.append(button);
  }
};

const isDark = () =>
  root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;

const addTheme = (tools) => {
  const button = element("button", { type: "button" });
  const name = () => (button.textContent = isDark() ? "Light" : "Dark");
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    keep(root.dataset.theme);
    name();
  });
  name();
  tools.append(button);
};

const addSearch = (tools) => {
  let pages;
  const input = element("input", { type: "search", placeholder: "Search (/)" });
  input.setAttribute("aria-label", "Search the documentation");
  const found = element("ul", { className: "found", hidden: true });
  const status = element("span", { className: "skip" });
  status.setAttribute("role", "status");
  const load = async () => {
    pages ??= fetch("/docs/search.json")
      .then((reply) => reply.json())
      .then((all) => all.map(searchable));
    try {
      return await pages;
    } catch {
      pages = undefined;
      return [];
    }
  };
  const show = async () => {
    const asked = input.value.trim();
    const all = await load();
    if (asked !== input.value.trim()) return;
    const some = asked.length < 2 ? [] : findPages(all, asked);
    found.replaceChildren(
      ...some.map((page) =>
        element("li", {}, element("a", { href: page.path }, page.title, element("small", {}, page.lead))),
      ),
    );
    if (asked.length >= 2 && some.length === 0) found.append(element("li", {}, "Nothing found."));
    found.hidden = asked.length < 2;
    status.textContent = asked.length < 2 ? "" : `${some.length} pages found`;
  };
  input.addEventListener("input", show);
  input.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") found.querySelector("a")?.click();
  });
  tools.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      found.hidden = true;
      input.focus();
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const links = [...found.querySelectorAll("a")];
    if (found.hidden || links.length === 0) return;
    event.preventDefault();
    const at = links.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
    (links[at] ?? input).focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "")) return;
    event.preventDefault();
    input.focus();
  });
  document.addEventListener("click", ({ target }) => {
    if (!tools.contains(target)) found.hidden = true;
  });
  tools.append(input, found, status);
};

/** Scrolls the list of all pages to the current page, if the list scrolls separately. */
const showPlace = () => {
  const list = document.getElementById("pages");
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollTop = current.offsetTop - list.clientHeight / 3;
};

document.addEventListener("DOMContentLoaded", () => {
  const tools = document.getElementById("tools");
  addSearch(tools);
  addTheme(tools);
  addCopying();
  showPlace();
});
