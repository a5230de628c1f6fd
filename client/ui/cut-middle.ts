/**
 * Shortens a long name in its middle to `maxLength` characters, so that its beginning and its end, for example the version of a song, stay
 * readable.
 */
export function cutMiddle(fileName: string, maxLength = 60): string {
  const nameCharacters = [...fileName]
  if (nameCharacters.length <= maxLength) return fileName
  const half = Math.floor(maxLength / 2) - 1
  return `${nameCharacters.slice(0, half).join('').trimEnd()} … ${nameCharacters.slice(-half).join('').trimStart()}`
}
