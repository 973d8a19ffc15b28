import { afterEach, expect, it, vi } from "vitest";
import { freeMemoryWhenIdle } from "./idle-memory.ts";

afterEach(() => vi.useRealTimers());

it("collects again and again after the last call, then no more, and not while one runs", () => {
  vi.useFakeTimers();
  const idle = freeMemoryWhenIdle();
  idle.began();
  idle.began();
  idle.ended();
  expect(vi.getTimerCount()).toBe(0);
  idle.ended();
  for (let collection = 1; collection <= 4; collection++) {
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersToNextTimer();
  }
  expect(vi.getTimerCount()).toBe(0);
});

it("stops collecting when a call comes", () => {
  vi.useFakeTimers();
  const idle = freeMemoryWhenIdle();
  idle.now();
  expect(vi.getTimerCount()).toBe(1);
  idle.began();
  expect(vi.getTimerCount()).toBe(0);
});
