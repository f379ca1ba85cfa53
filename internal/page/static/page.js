// Keys, news and search: everything here also works without it, with links and forms.
"use strict";
(() => {
  const one = (q) => document.querySelector(q);
  const press = (key) => {
    const target = one(`[data-key="${key}"]`);
    if (!target) return false;
    if (target.tagName === "DETAILS") {
      target.open = true;
      target.querySelector("textarea").focus();
    } else {
      target.click();
    }
    return true;
  };
  // What is shown anew is not decided about at once: the key may have been meant for what was there before.
  let soon;
  const settle = () => {
    delete document.body.dataset.ready;
    clearTimeout(soon);
    soon = setTimeout(() => { document.body.dataset.ready = "yes"; }, 500);
  };
  settle();
  // Who speaks to the machine, or whose hand slips, can switch single keys off.
  const switched = one("#keys");
  const off = () => localStorage.getItem("keys") === "off";
  const show = () => { switched.textContent = off() ? "Turn keys on" : "Turn keys off"; };
  if (switched) {
    switched.hidden = false;
    show();
    switched.addEventListener("click", () => { localStorage.setItem("keys", off() ? "on" : "off"); show(); });
  }
  document.addEventListener("keydown", (e) => {
    if (off() || e.ctrlKey || e.metaKey || e.altKey) return;
    // A key that is held, or was meant for the page before, decides nothing.
    if (e.repeat || ("yn".includes(e.key) && !document.body.dataset.ready)) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName)) {
      if (e.key === "Escape") e.target.blur();
      return;
    }
    if (e.key === "/" && one("#find")) {
      e.preventDefault();
      one("#find").focus();
    } else if (press(e.key)) {
      e.preventDefault();
    }
  });

  // What a link leads to, or what is printed, is open.
  const reveal = () => {
    for (let at = location.hash && document.getElementById(location.hash.slice(1)); at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
  };
  addEventListener("hashchange", reveal);
  reveal();
  addEventListener("beforeprint", () => { for (const d of document.querySelectorAll("main details")) d.open = true; });

  // The page is asked for anew, and only parts of it are replaced: whoever types or reads stays where they are.
  let asked = 0;
  const renew = async (parts, from) => {
    const mine = ++asked;
    const answer = await fetch(from);
    if (!answer.ok || mine !== asked) return false;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (mine !== asked || parts.some((part) => !page.querySelector(part))) return false;
    for (const part of parts) one(part).replaceWith(page.querySelector(part));
    document.body.dataset.case = page.body.dataset.case || "";
    settle();
    return true;
  };

  // Search as you type.
  const find = one("#find");
  if (find && one("#list")) {
    let waits;
    find.addEventListener("input", () => {
      clearTimeout(waits);
      waits = setTimeout(async () => {
        const to = new URL(location.href);
        to.searchParams.set("q", find.value);
        for (const name of ["page", "at"]) to.searchParams.delete(name);
        if (await renew(["h1", "#found"], to)) history.replaceState(null, "", to);
      }, 120);
    });
  }

  // News: what is watched here has changed, or goes on.
  if (document.body.dataset.events && window.EventSource) {
    const said = one("#news");
    const changed = (e) => {
      const ids = JSON.parse(e.data);
      const here = document.body.dataset.case;
      if (said && here && ids.includes(here)) {
        said.hidden = false;
        said.querySelector("span").textContent = "This has changed. ";
      } else if (said && document.body.dataset.list) {
        said.hidden = false;
        said.querySelector("span").textContent = ids.length === 1 ? "A case has changed. " : "Cases have changed. ";
      }
    };
    const went = (e) => {
      const job = JSON.parse(e.data);
      const at = document.getElementById("job-" + job.id);
      if (!at) {
        if (one("#jobs")) renew(["#jobs"], location.href);
        return;
      }
      at.querySelector(".step").textContent = job.words;
      const show = at.querySelector(".show");
      if (show && job.show) {
        show.hidden = false;
        show.textContent = job.show;
      }
      const bar = at.querySelector("progress");
      if (bar && job.of) { bar.max = job.of; bar.value = job.n; }
      const more = job.n && job.of > job.n ? (Date.now() - Date.parse(job.started)) / job.n * (job.of - job.n) : 0;
      at.querySelector(".left").textContent = more ? `, about ${Math.round(more / 1000)} s left` : "";
      if (job.over) renew(["#jobs"], location.href);
    };
    // A tab that nobody looks at holds no connection: browsers have few for one server.
    let news;
    const listen = () => {
      if (news) news.close();
      news = undefined;
      if (document.hidden) return;
      news = new EventSource("/events");
      news.addEventListener("changed", changed);
      news.addEventListener("job", went);
      // A server that is busy or begins anew says no once; a browser would leave it at that.
      const mine = news;
      news.addEventListener("error", () => {
        if (mine === news && mine.readyState === EventSource.CLOSED) setTimeout(listen, 5000);
      });
    };
    if (one("#workers")) setInterval(() => { if (!document.hidden) renew(["#workers"], location.href); }, 5000);
    document.addEventListener("visibilitychange", listen);
    listen();
  }
})();
