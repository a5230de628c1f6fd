/**
 * The browsers, each with a text that identifies it in a `User-Agent`. A browser whose `User-Agent` also contains the texts of other
 * browsers, for compatibility, precedes these browsers.
 */
const browserPatterns = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systemPatterns = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/**
 * Describes the browser and system of a `User-Agent` in predefined words, such as 'Chrome on Android', so that a client cannot have a text of its
 * choice stored.
 */
export function describeDevice(userAgent = ''): string {
  const findNameIn = (names: readonly (readonly [mark: string, name: string])[]) => names.find(([mark]) => userAgent.includes(mark))?.[1]
  const browser = findNameIn(browserPatterns)
  const system = findNameIn(systemPatterns)
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown device'
}
