/* A form with data-ctrl-enter is sent by Ctrl+Enter (Cmd+Enter), from whatever field has the focus. */
(function () {
  "use strict";
  document.addEventListener("keydown", function (e) {
    var form = e.target.closest && e.target.closest("form[data-ctrl-enter]");
    if (!form || e.key !== "Enter" || !(e.ctrlKey || e.metaKey)) return;
    e.preventDefault();
    form.requestSubmit();
  });
})();
