/** The width and height in pixels of a cover in the list of projects and on a lock screen. */
const LISTED_COVER_PX = 512
/** The width and height in pixels of a chosen cover, which files have in their tags. */
export const CHOSEN_COVER_PX = 1200
const COVER_QUALITY = 0.85
/** The MIME type of all covers that are saved with projects. */
export const COVER_TYPE = 'image/jpeg'

/** Cuts the middle of a picture, and reduces it to a cover. Resolves with `undefined` if the browser cannot decode the picture. */
export async function toSquarePicture(picture: Blob, maxPx = LISTED_COVER_PX): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(picture).catch(() => undefined)
  if (bitmap === undefined) return undefined
  try {
    const { width, height } = bitmap
    const side = Math.min(width, height)
    const px = Math.min(side, maxPx)
    const canvas = new OffscreenCanvas(px, px)
    canvas.getContext('2d')?.drawImage(bitmap, (width - side) / 2, (height - side) / 2, side, side, 0, 0, px, px)
    return await canvas.convertToBlob({ type: COVER_TYPE, quality: COVER_QUALITY })
  } catch {
    return undefined
  } finally {
    bitmap.close()
  }
}
