/** Formats a duration in seconds: `185` → `3:05`, `3905` → `1:05:05`. Returns `0:00` for NaN and negative values. */
export function formatDuration(seconds: number): string {
  const totalSeconds = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0
  const padToTwoDigits = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(totalSeconds / 3600)
  const minutes = Math.floor((totalSeconds % 3600) / 60)
  return hours > 0
    ? `${hours}:${padToTwoDigits(minutes)}:${padToTwoDigits(totalSeconds % 60)}`
    : `${minutes}:${padToTwoDigits(totalSeconds % 60)}`
}

/** Formats a duration in seconds, in hours and minutes: `9660` → `2 h 41 min`, `180` → `3 min`. */
export function formatLongDuration(seconds: number): string {
  const minuteCount = Math.max(1, Math.round(seconds / 60))
  const hours = Math.floor(minuteCount / 60)
  if (hours === 0) return `${minuteCount} min`
  return minuteCount % 60 === 0 ? `${hours} h` : `${hours} h ${minuteCount % 60} min`
}

// The site is English only, so month names are a constant: the first use of `Intl.DateTimeFormat` is slow on phones.
export const MONTH_NAMES = 'January February March April May June July August September October November December'.split(' ')

/** Formats an ISO date as a long US date in UTC, `November 12, 2026`. Returns an empty string if the date is invalid. */
export function formatLongDate(isoDate: string): string {
  const date = new Date(isoDate)
  return Number.isNaN(date.getTime()) ? '' : `${MONTH_NAMES[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`
}

/** Formats a size in bytes with decimal (SI) units: `1432000` → `1.4 MB`, `820` → `1 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes <= 0) return '0 kB'
  const kilobytes = Math.max(1, bytes / 1000)
  const [value, unit] = kilobytes < 1000 ? [kilobytes, 'kB'] : kilobytes < 1e6 ? [kilobytes / 1000, 'MB'] : [kilobytes / 1e6, 'GB']
  return `${value < 10 && unit !== 'kB' ? value.toFixed(1) : Math.round(value)} ${unit}`
}

/** Formats an integer with thousands separators: `12800` → `12,800`. */
export const formatCount = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** Formats a count with its noun: `formatPlural(1, 'song')` → `1 song`, `formatPlural(2400, 'song')` → `2,400 songs`. */
export const formatPlural = (value: number, noun: string): string => `${formatCount(value)} ${noun}${value === 1 ? '' : 's'}`
