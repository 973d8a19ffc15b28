import { useEffect, useState } from "preact/hooks";
import { groupTitles, type View, views } from "../views.ts";
import { addressOf } from "./address.ts";
import { followLink, useLocation } from "./router.ts";

/** The question goes with the reader from view to view. */
export function Navigation({ current }: { current: View }) {
  const { state } = useLocation();
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [current.name]);
  return (
    <nav class={`navigation ${open ? "open" : ""}`} aria-label="Views">
      <button
        class="button quiet menu-button"
        type="button"
        aria-expanded={open}
        aria-controls="views"
        onClick={() => setOpen(!open)}
      >
        {current.title} <span aria-hidden="true">{open ? "▴" : "▾"}</span>
      </button>
      <div id="views" class="views">
        {(["question", "workspace"] as const).map((group) => (
          <div key={group} class="view-group">
            <h2 class="view-group-title" id={`group-${group}`}>
              {groupTitles[group]}
            </h2>
            <ul aria-labelledby={`group-${group}`}>
              {views
                .filter((view) => view.group === group)
                .map(({ name, title }) => (
                  <li key={name}>
                    <a
                      href={addressOf(name, state)}
                      aria-current={name === current.name ? "page" : undefined}
                      onClick={(event) => followLink(event, name)}
                    >
                      {title}
                    </a>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}
