/** A picture in the format I420: a plane of luma, and two planes of chroma with half the width and half the height. */
export interface PlanarPicture {
  readonly width: number
  readonly height: number
  readonly planes: Uint8Array<ArrayBuffer>
}

/** The color space of all planar pictures: ITU-R BT.709 (HD video), with limited range. */
export const PLANAR_COLOR_SPACE: VideoColorSpaceInit = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false }

const RED_LUMA_WEIGHT = 0.2126
const GREEN_LUMA_WEIGHT = 0.7152
const BLUE_LUMA_WEIGHT = 0.0722
const LUMA_RANGE = 219 / 255
const CHROMA_RANGE = 224 / 255

/** Converts a picture whose sides are even. */
export function toPlanarPicture({ data, width, height }: ImageData): PlanarPicture {
  const planeBytes = new Uint8Array((width * height * 3) / 2)
  const chromaWidth = width / 2
  const bluePlaneStart = width * height
  const redPlaneStart = bluePlaneStart + bluePlaneStart / 4
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2) {
      let [redSum, greenSum, blueSum] = [0, 0, 0]
      for (let cornerIndex = 0; cornerIndex < 4; cornerIndex++) {
        const pixelIndex = (y + (cornerIndex >> 1)) * width + x + (cornerIndex & 1)
        const [r, g, b] = [data[4 * pixelIndex] ?? 0, data[4 * pixelIndex + 1] ?? 0, data[4 * pixelIndex + 2] ?? 0]
        planeBytes[pixelIndex] = 16.5 + LUMA_RANGE * (RED_LUMA_WEIGHT * r + GREEN_LUMA_WEIGHT * g + BLUE_LUMA_WEIGHT * b)
        redSum += r / 4
        greenSum += g / 4
        blueSum += b / 4
      }
      const luma = RED_LUMA_WEIGHT * redSum + GREEN_LUMA_WEIGHT * greenSum + BLUE_LUMA_WEIGHT * blueSum
      const chroma = (y / 2) * chromaWidth + x / 2
      planeBytes[bluePlaneStart + chroma] = 128.5 + (CHROMA_RANGE * (blueSum - luma)) / (2 * (1 - BLUE_LUMA_WEIGHT))
      planeBytes[redPlaneStart + chroma] = 128.5 + (CHROMA_RANGE * (redSum - luma)) / (2 * (1 - RED_LUMA_WEIGHT))
    }
  return { width, height, planes: planeBytes }
}
