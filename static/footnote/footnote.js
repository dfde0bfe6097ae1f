/* The frame of every page: keys, dialogs, narrow tabs, row selection, spoken results.
   No library, no evaluation, no inline style. Listeners sit on the document, so swapped-in parts need no wiring.

   Markup it understands:
     data-go="r"            link reached by g r
     data-key="a"           pressed when the key is ("A+" is Shift+A); aria-disabled with data-why says why not
     data-opens="id"        opens the dialog with that id; data-close closes it; data-num="1" answers the key inside
     tr.row-k, .q-item, .r-item  rows for j and k; x ticks the row's .form-check-input
     data-tabs              a bar of links to columns, which become tabs below 900 px (data-start: first shown)
     data-confirm="…"       asks before a form is sent
     .drop                  a form that takes a dropped file
   Events on body: footnote:say {text} shows a toast, footnote:counts reloads the counts in the navigation. */
(function () {
  "use strict";
  var d = document, root = d.documentElement, GO_WAIT = 500, SAY_FOR = 6000, pending = 0;
  root.classList.add("js");
  function all(s, el) { return Array.prototype.slice.call((el || d).querySelectorAll(s)); }
  function one(s, el) { return (el || d).querySelector(s); }
  function byId(id) { return d.getElementById(id); }

  function say(text) {
    var live = byId("live");
    if (!live || !text) return;
    live.textContent = text;
    clearTimeout(say.timer);
    say.timer = setTimeout(function () { live.textContent = ""; }, SAY_FOR);
  }
  function opens(id) { var box = byId(id); if (box && box.showModal && !box.open) box.showModal(); }

  function refused(el) {
    if (el.getAttribute("aria-disabled") !== "true") return false;
    say(el.dataset.why || d.body.dataset.notNow);
    return true;
  }
  function press(key) {
    var el = all('[data-key="' + CSS.escape(key) + '"]').filter(function (x) { return x.getClientRects().length; })[0];
    if (!el) return false;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(el.tagName)) el.focus(); else el.click();
    return true;
  }

  /* rows */
  function rows() { return all("tr.row-k, a.q-item, a.r-item"); }
  function here() { return one("tr.row-k.here"); }
  function step(by) {
    var list = rows(); if (!list.length) return false;
    var at = list.findIndex(function (x) { return x.classList.contains("here") || x === d.activeElement; });
    if (at < 0) at = list.findIndex(function (x) { return x.hasAttribute("aria-current"); });
    var to = list[Math.max(0, Math.min(list.length - 1, at + by))];
    list.forEach(function (x) { x.classList.toggle("here", x === to); });
    (to.tagName === "TR" ? one("a, button, input", to) || to : to).focus();
    to.scrollIntoView({ block: "nearest" });
    return true;
  }
  function tick() { var row = here(), box = row && one(".form-check-input", row); if (box) box.click(); return Boolean(box); }
  function counted() {
    var bulk = one(".bulk"); if (!bulk) return;
    var on = all("tbody .form-check-input:checked").length, number = one("[data-count]", bulk);
    if (number) number.textContent = String(on);
    bulk.hidden = !on;
  }

  /* columns become tabs on narrow screens */
  function tabs(bar) {
    if (bar.dataset.ready) return;
    bar.dataset.ready = "1";
    var links = all("a", bar), first = one("a[data-start]", bar) || links[0];
    function show(hash) {
      links.forEach(function (a) {
        var on = a.hash === hash, column = byId(a.hash.slice(1));
        if (on) a.setAttribute("aria-current", "true"); else a.removeAttribute("aria-current");
        if (column) column.classList.toggle("on", on);
      });
    }
    links.forEach(function (a) { a.addEventListener("click", function (e) { e.preventDefault(); show(a.hash); window.scrollTo(0, 0); }); });
    show(first.hash);
    bar.parentNode.classList.add("tabbed");
  }
  function ready() {
    var here = one(".pills-set [aria-current]");
    all("[data-tabs]").forEach(tabs); counted();
    if (here) here.parentNode.scrollLeft = here.offsetLeft - (here.parentNode.clientWidth - here.offsetWidth) / 2;
  }

  d.addEventListener("click", function (e) {
    var t = e.target.closest("[data-opens], [data-close], [aria-disabled=true]");
    if (!t) return;
    if (refused(t)) { e.preventDefault(); e.stopPropagation(); return; }
    if (t.dataset.opens) { e.preventDefault(); opens(t.dataset.opens); }
    else if ("close" in t.dataset && t.closest("dialog")) t.closest("dialog").close();
  }, true);
  function closeMenus() {
    all("details.me[open], details.menu[open]").forEach(function (x) { x.open = false; one("summary", x).focus(); });
  }
  d.addEventListener("click", function (e) {  /* a menu closes when one clicks beside it */
    all("details.me[open], details.menu[open]").forEach(function (x) { if (!x.contains(e.target)) x.open = false; });
  });
  d.addEventListener("submit", function (e) {
    var text = e.target.dataset.confirm;
    if (text && !window.confirm(text)) { e.preventDefault(); e.stopPropagation(); }
  }, true);
  d.addEventListener("change", function (e) {
    var row = e.target.matches("tbody .form-check-input") && e.target.closest("tr");
    if (row) { row.setAttribute("aria-selected", String(e.target.checked)); counted(); }
  });

  /* a file dropped anywhere in .drop is as good as a chosen one */
  function dropped(e) {
    var box = e.target.closest && e.target.closest(".drop"), input = box && one("input[type=file]", box);
    all(".drop.over").forEach(function (x) { x.classList.toggle("over", x === box && e.type === "dragover"); });
    if (!input || !e.dataTransfer) return;
    e.preventDefault();
    box.classList.toggle("over", e.type === "dragover");
    if (e.type !== "drop" || !e.dataTransfer.files.length) return;
    input.files = e.dataTransfer.files;
    say(input.files[0].name);
    one("button[type=submit]", box).focus();
  }
  ["dragover", "dragleave", "drop"].forEach(function (name) { d.addEventListener(name, dropped); });

  var shortcuts = {
    "?": function () { opens("help"); return Boolean(byId("help")); },
    "/": function () { var f = byId("find"); if (f && f.getClientRects().length) { f.focus(); f.select(); return true; } return false; },
    "j": function () { return step(1); },
    "k": function () { return step(-1); },
    "x": function () { return tick() || press("x"); },
    "g": function () { pending = setTimeout(function () { pending = 0; press("g"); }, GO_WAIT); return true; }
  };
  function typing(t) { return t.isContentEditable || (/^(INPUT|TEXTAREA|SELECT)$/.test(t.tagName) && t.type !== "checkbox" && t.type !== "radio"); }
  function inDialog(open, key) {
    var numbered = one('[data-num="' + CSS.escape(key) + '"]', open);
    if (numbered) numbered.click();
    return Boolean(numbered);
  }
  function went(key) {
    if (!pending) return false;
    clearTimeout(pending); pending = 0;
    var link = one('[data-go="' + CSS.escape(key) + '"]');
    if (link) window.location.href = link.href;
    return Boolean(link);
  }
  d.addEventListener("keydown", function (e) {
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    if (e.key === "Escape") closeMenus();
    if (typing(e.target)) { if (e.key === "Escape") e.target.blur(); return; }
    var open = one("dialog[open]"), key = e.key.length === 1 ? e.key.toLowerCase() : e.key, done;
    if (open) done = inDialog(open, e.key);
    else if (went(key)) done = true;
    else if (shortcuts[key]) done = shortcuts[key]();
    else done = press(e.key === "A" ? "A+" : key);
    if (done) e.preventDefault();
  });

  d.addEventListener("footnote:say", function (e) { say(e.detail && e.detail.text); });
  d.addEventListener("htmx:responseError", function (e) { say(e.detail.xhr.getResponseHeader("X-Say") || d.body.dataset.failed); });
  d.addEventListener("htmx:sendError", function () { say(d.body.dataset.offline); });
  d.addEventListener("htmx:timeout", function () { say(d.body.dataset.offline); });
  d.addEventListener("htmx:afterSettle", ready);
  if (d.readyState === "loading") d.addEventListener("DOMContentLoaded", start); else start();
  function start() { ready(); var live = byId("live"); if (live && live.textContent.trim()) say(live.textContent.trim()); }
})();
