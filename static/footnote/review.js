/* The review screen's own keys. Everything here is a click on a link, button or form that works without it. */
(function () {
  "use strict";
  var d = document;
  function one(s, el) { return (el || d).querySelector(s); }
  function all(s, el) { return Array.prototype.slice.call((el || d).querySelectorAll(s)); }
  function say(text) { d.body.dispatchEvent(new CustomEvent("footnote:say", { bubbles: true, detail: { text: text } })); }
  function typing(t) { return /^(INPUT|TEXTAREA|SELECT)$/.test(t.tagName) && t.type !== "checkbox" && t.type !== "radio"; }

  /* next and previous draft open at once: the screen swaps in place */
  function turn(by) {
    var rows = all(".rv-q a.q-item"); if (!rows.length) return false;
    var at = rows.findIndex(function (x) { return x.hasAttribute("aria-current"); });
    var to = rows[at < 0 ? 0 : at + by];
    if (to) to.click();
    return true;
  }
  function source() {
    var link = one(".card-e[aria-current] a[data-source]") || one(".card-e a[data-source]");
    if (link) link.click();
    return Boolean(link);
  }
  /* what stands in the closed menu "more" has its key all the same */
  function inMenu(key) {
    var el = one('.more [data-key="' + key + '"]'); if (!el) return false;
    el.click();
    return true;
  }
  var keys = {
    j: function () { return turn(1); }, k: function () { return turn(-1); }, o: source,
    p: function () { return inMenu("p"); }, d: function () { return inMenu("d"); }, c: function () { return inMenu("c"); }
  };
  d.addEventListener("keydown", function (e) {
    if (e.altKey || e.defaultPrevented) return;
    var form = e.target.closest && e.target.closest("form[data-ctrl-enter]");
    if (form && e.key === "Enter" && (e.ctrlKey || e.metaKey)) { e.preventDefault(); form.requestSubmit(); return; }
    if (e.ctrlKey || e.metaKey || typing(e.target) || one("dialog[open]") || !one(".rv")) return;
    var act = keys[e.key];
    if (act && act()) e.preventDefault();
  }, true);

  /* a form that was filled in wrongly comes back open; over the page, where the browser can */
  function ready() {
    all("dialog[open][data-modal]").forEach(function (box) {
      box.removeAttribute("data-modal");
      if (!box.showModal) return;
      box.close(); box.showModal();
      var first = one("[aria-invalid=true], textarea, input:not([type=hidden])", box); if (first) first.focus();
    });
    var said = d.getElementById("said");
    if (said) {
      if (said.textContent.trim()) say(said.textContent.trim());
      if ("counts" in said.dataset) d.body.dispatchEvent(new CustomEvent("footnote:counts"));
      said.remove();
    }
  }
  d.addEventListener("htmx:afterSettle", function (e) {
    ready();
    if (e.detail.target && e.detail.target.id === "main" && !d.getElementById("ed-b") && !one("dialog[open]")) {
      var head = d.getElementById("message-h"); if (head) head.focus({ preventScroll: true });
      var body = one(".rv-body"); if (body) body.scrollTop = 0;
    }
  });
  if (d.readyState === "loading") d.addEventListener("DOMContentLoaded", ready); else ready();
})();
