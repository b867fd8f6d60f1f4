"use strict";
(() => {
  const root = document.documentElement;
  const find = (selector, from = document) => [...from.querySelectorAll(selector)];
  const controls = document.getElementById("controls");
  controls.hidden = false;
  const search = document.getElementById("search");
  const group = document.getElementById("group");
  const run = document.getElementById("run");
  const boxes = find("input[name=subject]");
  const status = document.getElementById("status");
  const hiding = document.head.appendChild(document.createElement("style"));

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const off = new Set(boxes.filter((box) => !box.checked).map((box) => box.value));
    const fits = (item) => {
      const data = item.dataset;
      return words.every((word) => (data.topic ?? "").toLowerCase().includes(word))
        && (!group.value || !data.group || data.group === group.value)
        && (!run || !run.value || !data.run || data.run === run.value)
        && !(data.subject && off.has(data.subject));
    };
    const narrowed = words.length > 0;
    for (const item of find("[data-topic]")) item.hidden = !fits(item);
    for (const item of find("[data-subject]:not([data-topic])")) item.hidden = off.has(item.dataset.subject);
    for (const item of find("[data-overview]")) item.hidden = narrowed || (group.value && item.dataset.group !== group.value) || (run && run.value && item.dataset.run !== run.value);
    for (const item of find("[data-run]:not([data-topic]):not([data-overview])")) item.hidden = run && run.value && item.dataset.run !== run.value;
    hiding.textContent = boxes.filter((box) => !box.checked)
      .map((box) => `svg [fill="${box.dataset.colour}"], svg [stroke="${box.dataset.colour}"] { display: none }`).join("\n");
    for (const section of find("section[data-counted]")) {
      const none = find("[data-topic]", section).every((item) => item.hidden) && find("[data-overview]", section).every((item) => item.hidden);
      section.querySelector(".nothing").hidden = !none;
    }
    const cards = find(".card[data-topic]");
    const shown = cards.filter((card) => !card.hidden).length;
    status.textContent = `${shown} of ${cards.length} algorithms shown` + (off.size ? `, ${off.size} subjects hidden` : "");
  };

  search.addEventListener("input", filter);
  for (const box of [group, run, ...boxes]) box?.addEventListener("change", filter);
  document.getElementById("reset").addEventListener("click", () => {
    search.value = group.value = "";
    if (run) run.value = "";
    for (const box of boxes) box.checked = true;
    filter();
    search.focus();
  });

  const theme = document.getElementById("theme");
  const remember = (value) => { try { localStorage.setItem("theme", value); } catch { /* a file may have no storage */ } };
  try { const known = localStorage.getItem("theme"); if (known) root.dataset.theme = known; } catch { /* as above */ }
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const nameTheme = () => { theme.textContent = isDark() ? "Light colours" : "Dark colours"; };
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; remember(root.dataset.theme); nameTheme(); });
  nameTheme();

  for (const table of find("table.sortable")) {
    const heads = find("thead th", table);
    heads.forEach((head, column) => {
      if (!head.textContent.trim()) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const key = (row) => row.cells[column]?.dataset.sort ?? row.cells[column]?.textContent ?? "";
        const rows = find("tbody tr", table);
        rows.sort((a, b) => {
          const [x, y] = [key(a), key(b)];
          const order = x !== "" && y !== "" && !isNaN(x) && !isNaN(y) ? x - y : x.localeCompare(y, "en", { numeric: true });
          return up ? order : -order;
        });
        table.tBodies[0].append(...rows);
      });
    });
  }
  filter();
})();
