const SHOWN_MAX = 60

/** Shortens a long name in its middle, so that its beginning and its end, for example the version of a song, stay readable. */
export function cutMiddle(name: string): string {
  const characters = [...name]
  if (characters.length <= SHOWN_MAX) return name
  const half = SHOWN_MAX / 2 - 1
  return `${characters.slice(0, half).join('').trimEnd()} … ${characters.slice(-half).join('').trimStart()}`
}
