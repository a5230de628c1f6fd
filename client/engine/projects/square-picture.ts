/** The width and height in pixels of a cover in the list of projects and on a lock screen. */
const COVER_PX = 512
const COVER_QUALITY = 0.85

/** Cuts the middle of a picture, and reduces it to a cover. Resolves with `undefined` if the browser cannot decode the picture. */
export async function toSquarePicture(picture: Blob): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(picture).catch(() => undefined)
  if (bitmap === undefined) return undefined
  try {
    const { width, height } = bitmap
    const side = Math.min(width, height)
    const px = Math.min(side, COVER_PX)
    const canvas = new OffscreenCanvas(px, px)
    canvas.getContext('2d')?.drawImage(bitmap, (width - side) / 2, (height - side) / 2, side, side, 0, 0, px, px)
    return await canvas.convertToBlob({ type: 'image/jpeg', quality: COVER_QUALITY })
  } catch {
    return undefined
  } finally {
    bitmap.close()
  }
}
