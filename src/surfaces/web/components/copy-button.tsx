import { useState } from "preact/hooks";
import { Button } from "./button.tsx";

const shownFor = 1600;

export function CopyButton({ text, title = "Copy" }: { text: string; title?: string }) {
  const [feedback, setFeedback] = useState<string>();
  const copy = async () => {
    setFeedback((await copied(text)) ? "Copied" : "The browser does not allow it");
    setTimeout(() => setFeedback(undefined), shownFor);
  };
  return (
    <Button onClick={() => void copy()}>
      <span role="status">{feedback ?? title}</span>
    </Button>
  );
}

/** Browsers offer the clipboard to safe origins only; elsewhere the old way may work. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "unseen";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
