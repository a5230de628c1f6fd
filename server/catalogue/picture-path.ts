/** Returns the FNV-1a hash of a text in base 36. */
function hashText(hashedText: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < hashedText.length; index++) hash = Math.imul(hash ^ hashedText.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}

/**
 * Returns the path of a picture, without the parameter for the picture's width. The path contains a hash of `source`, the picture's URL or
 * video id: browsers cache pictures for long, and fetch a replaced picture because its path is new. If `source` is empty, the path is that
 * of a cover that the server draws from the id.
 */
export const createPicturePath = (kind: 'playlist' | 'member' | 'supporter' | 'feed', id: string, source: string): string =>
  `/img/${kind}/${encodeURIComponent(id)}${source === '' ? '' : `/${hashText(source)}`}`
