/* Claim, note and evidence card belong together: focusing one shows the others.
   .claim[data-note][data-ev="1 4"] in .msg-area, li#note in .notes, .card-e#e1 in .rv-e. */
(function () {
  "use strict";
  var d = document, WIDE = 900, HEAD = 46;
  function all(s) { return Array.prototype.slice.call(d.querySelectorAll(s)); }
  function byId(id) { return id ? d.getElementById(id) : null; }
  function mark(list, keep) {
    list.forEach(function (el) { if (keep.indexOf(el) > -1) el.setAttribute("aria-current", "true"); else el.removeAttribute("aria-current"); });
  }
  function pick(claim, quiet) {
    if (!claim) return;
    var note = byId(claim.dataset.note);
    var cards = (claim.dataset.ev || "").split(" ").map(function (n) { return n && byId("e" + n); }).filter(Boolean);
    mark(all(".msg-area .claim"), [claim]); mark(all(".notes li"), note ? [note] : []); mark(all(".card-e"), cards);
    cards.forEach(function (c) { c.dataset.v = claim.dataset.v; });
    if (quiet || window.innerWidth <= WIDE) return;
    var box = cards[0] && cards[0].closest(".rv-e");
    if (box) box.scrollTo({ top: box.scrollTop + cards[0].getBoundingClientRect().top - box.getBoundingClientRect().top - HEAD });
    if (note) note.scrollIntoView({ block: "nearest" });
  }
  function step(by) {
    var claims = all(".msg-area .claim"); if (!claims.length) return false;
    var at = claims.findIndex(function (c) { return c.hasAttribute("aria-current"); });
    claims[Math.max(0, Math.min(claims.length - 1, at + by))].focus();
    return true;
  }
  d.addEventListener("focusin", function (e) { var c = e.target.closest(".msg-area .claim"); if (c) pick(c); });
  d.addEventListener("click", function (e) {
    var c = e.target.closest(".msg-area .claim"); if (!c) return;
    if (window.innerWidth > WIDE) e.preventDefault();
    pick(c);
  });
  d.addEventListener("keydown", function (e) {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, textarea, select, dialog")) return;
    var by = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
    if (by && step(by)) e.preventDefault();
  });
  function ready() { if (!d.querySelector(".msg-area .claim[aria-current]")) pick(d.querySelector(".msg-area .claim[data-first]") || d.querySelector(".msg-area .claim"), true); }
  d.addEventListener("htmx:afterSettle", ready);
  if (d.readyState === "loading") d.addEventListener("DOMContentLoaded", ready); else ready();
})();
