/** Browsers by a text in their `User-Agent`. The order matters: most of them name those that they are compatible with, which follow. */
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

/** Returns a `User-Agent` in words of this module only, such as 'Chrome on Android', so that a client cannot store a text of its own. */
export function deviceOf(userAgent = ''): string {
  const nameIn = (names: readonly (readonly [mark: string, name: string])[]) => names.find(([mark]) => userAgent.includes(mark))?.[1]
  const browser = nameIn(browsers)
  const system = nameIn(systems)
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown device'
}
