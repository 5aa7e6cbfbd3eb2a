/** A moment as people's own clocks show it: `2026-01-02 03:04:05`. What is no moment is shown as it is. */
export function localTime(iso: string): string {
  const time = new Date(iso);
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(iso) || Number.isNaN(time.getTime())) {
    return iso.slice(0, 19);
  }
  const two = (number: number) => String(number).padStart(2, '0');
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`;
}
