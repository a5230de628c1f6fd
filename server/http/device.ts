/** Browsers by a text in their `User-Agent`. A browser precedes those that it also names for compatibility. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** Describes a `User-Agent` in fixed words, such as 'Chrome on Android', so that a client cannot store a text of its choice. */
export function deviceOf(userAgent = ''): string {
  const nameIn = (names: readonly (readonly [mark: string, name: string])[]) => names.find(([mark]) => userAgent.includes(mark))?.[1]
  const browser = nameIn(browsers)
  const system = nameIn(systems)
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown device'
}
