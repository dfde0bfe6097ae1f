/* Copies the text of an element exactly: a button with data-copy="id". Without a clipboard the text is selected. */
(function () {
  "use strict";
  function select(el) {
    var range = document.createRange(), selection = window.getSelection();
    range.selectNodeContents(el);
    selection.removeAllRanges();
    selection.addRange(range);
  }
  document.addEventListener("click", function (e) {
    var button = e.target.closest("[data-copy]"), el = button && document.getElementById(button.dataset.copy);
    if (!el) return;
    function done() { document.dispatchEvent(new CustomEvent("footnote:say", { detail: { text: button.dataset.done } })); }
    function byHand() { select(el); if (document.execCommand("copy")) done(); }
    if (navigator.clipboard && window.isSecureContext) navigator.clipboard.writeText(el.textContent).then(done, byHand);
    else byHand();
  });
})();
