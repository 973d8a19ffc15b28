import { render } from "preact";
import { Shell } from "./shell/shell.tsx";
import { applyTheme } from "./shell/theme.tsx";

applyTheme();
render(<Shell />, document.getElementById("page")!);
