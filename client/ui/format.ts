/** `185` → `3:05`, `3905` → `1:05:05`; what is not a length gives `0:00`. */
export function formatDuration(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** `9660` → `2 h 41 min`, `180` → `3 min`. */
export function formatLongDuration(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return `${minutes} min`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

// The site speaks one language: what `Intl` would give for it, without the time that its start takes on a phone.
const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** An ISO date as a long-form US date, `November 12, 2026`; empty for what is no date. */
export function formatLongDate(iso: string): string {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? '' : `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`
}

/** Decimal units, as browsers and shops count: `1432000` → `1.4 MB`, `820` → `1 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes <= 0) return '0 kB'
  const kilobytes = Math.max(1, bytes / 1000)
  const [value, unit] = kilobytes < 1000 ? [kilobytes, 'kB'] : kilobytes < 1e6 ? [kilobytes / 1000, 'MB'] : [kilobytes / 1e6, 'GB']
  return `${value < 10 && unit !== 'kB' ? value.toFixed(1) : Math.round(value)} ${unit}`
}

/** A whole number: `12800` → `12,800`. */
export const formatCount = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** `plural(1, 'song')` → `1 song`, `plural(2400, 'song')` → `2,400 songs`. */
export const formatPlural = (value: number, noun: string): string => `${formatCount(value)} ${noun}${value === 1 ? '' : 's'}`
