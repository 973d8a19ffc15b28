type Props = { share: number; label: string };

/** A progress bar or a share, 0 to 1. */
export function Meter({ share, label }: Props) {
  const percent = Math.round(Math.max(0, Math.min(1, share)) * 100);
  return (
    <div
      class="meter"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span style={{ width: `${percent}%` }} />
    </div>
  );
}
