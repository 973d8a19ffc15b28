import { useEffect, useRef, useState } from "preact/hooks";

export type Zoom = {
  transform: string;
  scale: number;
  by: (factor: number) => void;
  fit: () => void;
  handlers: {
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerUp: (event: PointerEvent) => void;
    onWheel: (event: WheelEvent) => void;
    onClickCapture: (event: MouseEvent) => void;
  };
};

type View = { x: number; y: number; scale: number };

const [smallest, largest] = [0.1, 4];
/** Pixels: less is a click with an unsteady hand. */
const dragged = 4;

/**
 * A picture around its middle that can be dragged, and made larger and smaller: with buttons, a pinch, or the wheel and
 * Ctrl.
 */
export function useZoom(width: number, height: number, extent: number): Zoom {
  const fitting = (): View => {
    const scale = Math.min(1.15, Math.min(width, height) / (2 * Math.max(1, extent)));
    return { x: width / 2, y: height / 2, scale };
  };
  const [view, setView] = useState<View>(fitting);
  const drag = useRef<{ x: number; y: number; from: View; moved: boolean } | undefined>(undefined);
  useEffect(() => setView(fitting()), [width, height, extent]);
  const by = (factor: number, x = width / 2, y = height / 2) =>
    setView((before) => {
      const scale = Math.max(smallest, Math.min(largest, before.scale * factor));
      const share = scale / before.scale;
      return { scale, x: x - (x - before.x) * share, y: y - (y - before.y) * share };
    });
  return {
    transform: `translate(${view.x},${view.y}) scale(${view.scale})`,
    scale: view.scale,
    by: (factor) => by(factor),
    fit: () => setView(fitting()),
    handlers: {
      onPointerDown(event) {
        if (event.button === 0) drag.current = { x: event.clientX, y: event.clientY, from: view, moved: false };
      },
      onPointerMove(event) {
        const { current } = drag;
        if (!current || event.buttons === 0) return;
        const [x, y] = [event.clientX - current.x, event.clientY - current.y];
        if (!current.moved && Math.hypot(x, y) < dragged) return;
        if (!current.moved) (event.currentTarget as Element).setPointerCapture(event.pointerId);
        current.moved = true;
        setView({ ...current.from, x: current.from.x + x, y: current.from.y + y });
      },
      onPointerUp() {
        if (drag.current && !drag.current.moved) drag.current = undefined;
      },
      onWheel(event) {
        // Without Ctrl the page is scrolled.
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
        by(Math.exp(-event.deltaY / 300), event.clientX - left, event.clientY - top);
      },
      onClickCapture(event) {
        // The end of a drag must not click the node below.
        if (drag.current?.moved) event.stopPropagation();
        drag.current = undefined;
      },
    },
  };
}
