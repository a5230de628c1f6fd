/**
 * Shortens a long name in its middle to `maxLength` characters, so that its beginning and its end, for example the version of a song, stay
 * readable.
 */
export function cutMiddle(name: string, maxLength = 60): string {
  const characters = [...name]
  if (characters.length <= maxLength) return name
  const half = Math.floor(maxLength / 2) - 1
  return `${characters.slice(0, half).join('').trimEnd()} … ${characters.slice(-half).join('').trimStart()}`
}
